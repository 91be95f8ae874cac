"""How times are written in Chinese and English: words with their meaning, and a pattern for each kind of expression.

The patterns read text in small letters and simplified characters. A blank in them stands for one to three spaces, _ for
a space that may be there. What may stand around a word is limited, so that the time they take grows with the text.
"""

import re

# what the words mean

MONTHS = {name: number for number, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)}
WEEKDAYS = {
    name: day
    for day, names in enumerate("mon一 tue二 wed三 thu四 fri五 sat六 sun日".split())
    for name in (names[:3], names[3])
} | {"天": 6}
FIGURES = {name: number for number, name in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2}
TENS = {"十": 10, "百": 100}
ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
COUNTS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "an": 1, "a": 1,
}  # fmt: skip
SPANS = {  # the fewest and the most
    "couple": (2, 3), "few": (2, 6), "several": (3, 8), "几": (2, 6), "好几": (3, 8), "数": (2, 6), "十几": (11, 19),
}  # fmt: skip
HALVES = {"year": (6, "month"), "month": (15, "day"), "day": (12, "hour"), "hour": (30, "minute")}
UNITS = {
    "天": "day", "日": "day", "周": "week", "星期": "week", "礼拜": "week", "月": "month", "季度": "quarter",
    "年": "year", "小时": "hour", "钟头": "hour", "分钟": "minute",
}  # fmt: skip
RELATIONS = {  # how many units from the present one
    "last": -1, "previous": -1, "past": -1, "this": 0, "current": 0, "next": 1, "coming": 1,
    "yesterday": -1, "today": 0, "tomorrow": 1, "上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2,
    "大前": -3, "前": -2, "去": -1, "昨": -1, "今": 0, "明": 1, "后": 2, "大后": 3,
}  # fmt: skip
HOURS = {
    **dict.fromkeys(("morning", "早上", "早晨", "清晨", "上午", "早"), (5, 12)),
    **dict.fromkeys(("noon", "中午"), (11, 14)),
    **dict.fromkeys(("afternoon", "下午"), (12, 18)),
    **dict.fromkeys(("evening", "傍晚"), (17, 24)),
    **dict.fromkeys(("night", "tonight", "晚上", "夜里", "半夜", "深夜", "晚", "夜"), (18, 28)),
    "凌晨": (0, 6),
}
LATELY = {"前两天": 3, "前些天": 7, "前些日子": 60, "前阵子": 60, "前一阵": 60, "前段时间": 60}  # days; others are 30

LUNAR = 0  # in place of a month: so many days after lunar new year
HOLIDAYS = {  # month, day and how many days
    "christmas": (12, 24, 2), "christmas day": (12, 25, 1), "christmas eve": (12, 24, 1), "halloween": (10, 31, 1),
    "new years": (1, 1, 1), "new years day": (1, 1, 1), "new years eve": (12, 31, 1), "valentines day": (2, 14, 1),
    "spring festival": (LUNAR, -1, 8), "chinese new year": (LUNAR, -1, 8), "lunar new year": (LUNAR, -1, 8),
    "国庆": (10, 1, 7), "十一": (10, 1, 7), "五一": (5, 1, 5), "劳动节": (5, 1, 5), "六一": (6, 1, 1),
    "元旦": (1, 1, 1), "圣诞": (12, 24, 2), "平安夜": (12, 24, 1), "情人节": (2, 14, 1), "清明": (4, 4, 3),
    "双十一": (11, 11, 1), "双11": (11, 11, 1), "春节": (LUNAR, -1, 8), "除夕": (LUNAR, -1, 1), "元宵": (LUNAR, 14, 1),
}  # fmt: skip
FIRST_NEW_YEAR = 2015
NEW_YEARS = (  # month and day of lunar new year
    "0219 0208 0128 0216 0205 0125 0212 0201 0122 0210 0129 0217 0206 "
    "0126 0213 0203 0123 0211 0131 0219 0208 0128 0215 0204 0124 0212"
).split()


def _compile(pattern: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    return re.compile(pattern.replace(" ", r"\s{1,3}").replace("_", r"\s?"), flags)


def _english(pattern: str) -> re.Pattern[str]:
    return _compile(pattern, re.ASCII)  # so that a word ends where Han characters begin


# English

_REL = r"(?P<rel>(?:this )?(?:past|coming)|last|previous|this|current|next)"
_COUNT = "|".join(sorted(COUNTS, reverse=True))
_N = rf"(?:a (?=couple|few))?(?P<n>\d{{1,4}}|couple|few|several|half(?= (?:an? )?[ymdh])|{_COUNT})(?: of| an?)?"
_UNIT = r"(?P<unit>day|week|month|quarter|year|hour|minute)s?\b"
_OF_YEAR = r"(?:(?:,| of| in)? (?:(?P<year>(?:19|20)\d\d)(?!\w|[-/.:]\d)|(?P<yrel>last|this|next) year\b))?"
_DAY_OF_MONTH = r"\d{1,2}(?:st|nd|rd|th)?"

DAY = _english(r"\b(?P<twice>(?:the )?day (?:before(?= y)|after(?= tom)) )?(?P<rel>yesterday|today|tomorrow)\b")
PART = _english(
    r"\b(?:(?P<rel>last) (?=night)|this (?!night)|(?=tonight))(?P<part>morning|afternoon|evening|night|tonight)\b"
)
AGO = _english(rf"\b(?<!\d[.,/]){_N} {_UNIT} (?P<way>ago|back|from now)\b")
IN_FUTURE = _english(rf"\b(?P<way>in) (?!an? |half|one |\d{{4}}){_N} (?P<unit>day|week|month|quarter|year)s?\b")
WINDOW = _english(rf"\b(?:the |these )?(?P<rel>last|past|previous|next|coming|following) (?!an? ){_N} {_UNIT}(?! of\b)")
PAST_UNIT = _english(r"\b(?:past |last (?=hour))(?P<unit>day|hour)\b")
LATELY_ENGLISH = _english(r"\b(?:(?<!most\s)(?<!-)recently|lately|of late|these days|in recent (?:days|weeks))\b")
UNIT = _english(
    rf"\b(?:the )?(?:{_REL} (?P<unit>week|weekend|month|quarter|year)(?! of\b|\w)"
    r"|(?P<unit2>week|weekend|month|quarter|year) (?P<far>before last|after next)\b)"
)
WEEKEND = _english(r"\bthe weekend\b")
WEEKDAY = _english(
    rf"\b(?:{_REL} )?(?P<day>(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|(?P<short>mon|tues?|wed|thu(?:rs?)?|fri|sat|sun))(?!\w)(?: (?:of )?(?P<week>last|this|next) week\b)?"
)
RECURRING = _english(r"\b(?:every|each|any|black|good|cyber|easter|per|other|most) $")
MONTH = _english(
    rf"\b(?:{_REL} )?(?:(?P<before>{_DAY_OF_MONTH})(?: of)? )?"
    r"(?P<month>january|february|march|april|may(?! (?:be|have|not|i|we|you|also|need)\b)|june|july|august|september"
    r"|october|november|december|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)(?:\.(?= \d))?)(?!\w)"
    rf"(?: (?P<day>{_DAY_OF_MONTH})(?!\w|[:.]\d)"
    rf"(?:(?:_[-–—]_| (?:to|through) )(?P<last>{_DAY_OF_MONTH})(?!\w|[:.]\d))?)?{_OF_YEAR}"
)
YEAR = _english(
    r"(?<![\w.,/:$€£¥#%+])(?P<year>(?:19|20)\d\d)(?![\w%°]|[/.:,]\d|-\d(?!\d{3}\b))"
    r"(?!_(?:words|lines|steps|bytes|bits|people|users|dollars|characters|items|rows|pieces|tokens|files|times|pages)\b)"
)
QUARTER = _english(
    r"\b(?:(?P<short>q(?P<q>[1-4]))(?![\w:)])"
    rf"|(?P<nth>first|second|third|fourth|[1-4](?:st|nd|rd|th)) quarter\b(?!-)){_OF_YEAR}"
)
YEAR_IN_FIGURES = re.compile(r"[12][09]\d\d(?<!\d....)(?=[-/.\d])")
YEAR_QUARTER = _english(r"\b(?P<year>(?:19|20)\d\d)(?:_|-)q(?P<q>[1-4])(?!\w)")
HOLIDAY = _english(
    rf"\b(?<!merry\s)(?<!happy\s)(?:{_REL} )?(?P<holiday>christmas(?: eve| day)?|new year['’]?s(?: day| eve)?|halloween"
    rf"|valentine['’]?s day|spring festival|(?:chinese|lunar) new year)\b(?! (?:tree|carol|song|card)){_OF_YEAR}"
)
INTRODUCED = _english(
    r"\b(?:in|during|since|before|after|until|till|early|mid|late|year|(?:end|start|beginning|middle|week|rest|fall"
    r"|spring|summer|autumn|winter|month) of) $|\bmid-$"
)
OWNED = _english(r"\b(?:the|our|my|your) $")
JOINED = _english(r"\b(?:from|to|through|between|and|until|till) $|[-–—]_$")
ON = _english(r"\bon $")

# Chinese

_HAN_NUMBER = "零〇一二两三四五六七八九十百"
_HAN_N = rf"(?P<n>\d{{1,4}}|十几|好?几|数|半|[{_HAN_NUMBER}]{{1,5}})"
_HAN_UNIT = r"_(?P<unit>[天日年]|个?(?:周|星期|礼拜|小时|钟头|季度)|个月|分钟)"
_HAN_DATE = r"\d{1,2}|[一二三四五六七八九十]{1,3}"
_HAN_YEAR = (
    r"(?:(?P<year>\d{4}|\d\d|[〇零一二三四五六七八九]{4})_年度?"
    r"|(?P<yrel>大?前(?<![目之以从提年月周天]前)|去(?<![过失]去)|[今明]|后(?<![以之然最今]后))年)(?![轻龄级代头糕货纪画薪])"
)
_HAN_IN_YEAR = (
    rf"(?:(?P<month>{_HAN_DATE})_月(?![球亮台食饼光老薪租卡费怀])"
    rf"(?:份|_(?P<day>{_HAN_DATE})_[日号](?![楼线院])(?:_(?:到|至|[-~～—–])_(?P<last>{_HAN_DATE})_[日号])?)?"
    r"|第?(?P<q>[一二三四1-4])季度|(?P<half>[上下])半年"
    r"|(?P<holiday>国庆|元旦|春节|除夕|元宵|劳动节|圣诞|平安夜|情人节|清明(?=节|假)|双十一|双11|十一(?=长假|假|期间|黄金周)"
    r"|[五六]一(?![路一二三四五六七八九十]))(?:节|长假|假期|期间)?+(?!快乐|老人|广场|大道|[树帽歌卡路]))"
)
_WEEK = r"(?:周|星期|礼拜)"

HAN_DAY = _compile(
    r"(?P<rel>大?前(?<![目之以从提年月周]前)(?=天)|[昨今明](?=[天日])|大?后(?<![以之然最今]后)(?<!先天后)(?=天))"
    r"[天日](?P<twice>)(?!气(?![温氛死压])|性|头条|方舟)"
)
HAN_PART = _compile(r"(?P<rel>[昨今明]|前(?=晚))(?P<part>早(?![就已期先年])|[晚夜])(?:上(?![海线映])|里)?")
HAN_AGO = _compile(rf"(?<![\d第.{_HAN_NUMBER}]){_HAN_N}{_HAN_UNIT}_(?:[以之](?=[前后]))?(?P<way>前|后)(?![前后面方天])")
HAN_WINDOW = _compile(
    rf"(?P<rel>最近|过去|近(?<![接附将靠亲临最]近)|这|未来|接下来|今后)的?这?_{_HAN_N}_(?P<unit>[天日年月]|个?(?:周|星期|礼拜|小时|钟头"
    r"|季度|月)|分钟)(?:以来|[里内来])?"
)
LATELY_HAN = _compile(
    r"最近(?!的|一[次个家]|[邻路])|近(?:来|期|日)|[这那](?:阵子|段时间)|前(?<![以之目从]前)(?:两天|些天|些日子|阵子|一阵|段时间)"
)
HAN_EARLIER = _compile(r"(?P<way>前)(?<![以之目从]前)(?P<n>几)(?P<unit>天|年|个?(?:周|星期|礼拜|月))")
HAN_UNIT = _compile(
    r"(?P<rel>上上|上(?<![早晚]上)|这|本|下下|下)(?:一?个)?(?P<unit>月|季度)(?![球亮台食饼光老])"
    rf"(?:_(?P<date>{_HAN_DATE})_[日号])?"
)
HAN_CALLED_YEAR = _compile(r"(?P<rel>[上下这](?=一)|本(?<!基本))一?(?P<unit>年)(?P<date>)(?![轻龄级代头])")
HAN_WEEK = _compile(
    rf"(?:(?P<rel>上上|上(?<![早晚]上)|这|本|下下|下)(?:一?个|一)?{_WEEK}|(?<![每个单双隔整几半\d{_HAN_NUMBER}]){_WEEK}(?=[{_HAN_NUMBER}日天末]))"
    r"(?![期边围密转折旋])(?P<day>末(?!快乐|愉快)|[一二三四五六日天](?![次个位件篇场条项种组百千万十]|小时|天(?!气)|年(?![会终底]))"
    r"(?!(?<=一)[起直共样些般下定方边])(?!(?<=日)[本历程报记常均语文])(?!(?<=天)[气天才]))?"
)
HAN_YEAR = _compile(rf"(?<!\d){_HAN_YEAR}(?:_的?_(?:{_HAN_IN_YEAR}|q(?P<short>[1-4])(?!\w)))?")
HAN_IN_YEAR_ALONE = _compile(rf"(?<![\d个第每两几.{_HAN_NUMBER}]){_HAN_IN_YEAR}")

# what bends a period

PART_AFTER = _english(
    r" (?:in the |at )?(?P<word>morning|noon|afternoon|evening|night)\b"
    r"|_的?(?P<han>凌晨|清晨|早晨|早上|上午|中午|下午|傍晚|晚上|夜里|半夜|深夜|晚)"
)
PART_BEFORE = _english(r"\bthe (?P<word>morning|noon|afternoon|evening|night) of (?:the )?$")
RANGE = _english(r"_(?:[-–—~～]|直?到|至)_| (?:to|until|till|through|thru|up to) (?:the )?")
BETWEEN = _english(r" and (?:the )?|_[和与跟]_")
FROM = _english(r"(?:\bfrom (?:the )?|[从自]_)$")
RANGE_BEGINS = _english(r"(?:\b(?P<word>from|between) (?:the )?|(?P<han>[从自在])_)$")
RANGE_ENDS = _english(r"_之间")
BENT_BEFORE = _english(
    r"(?:\b(?:the (?P<unit>day|week|month|year) )?(?P<word>since|after|before|prior to|until|till|up to) (?:the )?"
    r"|(?P<han>自从|自(?<!来自)|截至|截止|直到)_)$"
)
BENT_AFTER = _compile(
    r"_(?P<word>以来|至今|到现在|[之以][前后]|[前后](?=的|[\W_]|$)|为止)"
    r"| (?P<on>on(?:wards?)?(?! \w)|(?:to|until|till) (?:now|the present))\b|_(?P<begun>开始|起)"
)
BENDS = {
    **dict.fromkeys(("since", "以来", "至今", "到现在", "自从", "自", "on", "开始", "起"), "since"),
    **dict.fromkeys(("after", "之后", "以后", "后"), "after"),
    **dict.fromkeys(("before", "prior to", "之前", "以前", "前"), "before"),
    **dict.fromkeys(("until", "till", "up to", "截至", "截止", "直到", "为止"), "until"),
}
