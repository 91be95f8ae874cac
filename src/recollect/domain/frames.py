"""Words that frame a question without saying what it is about.

They are kept in the index like all others; in a query they weigh little, or a sentence of ten question characters
would bury the two that matter.
"""

import re

ENGLISH = frozenset(
    """
    a about after all also am an and any are as at be been before being but by can cant could did didnt do does
    doesnt doing done dont each else ever few for from had has hasnt have havent having he hello help her hers hey
    hi him his how i if in into is isnt it its just kindly kinda know let lets many may me might mine more most much
    must my no not now of off ok okay on once one only or other our ours out over own please really remember remind
    shall she should show so some something such tell than thank thanks that the their theirs them then there these
    they thing things this those to too under until up upon us very was wasnt we were what whats when where which
    while who whom whose why will with wont would wouldnt yes yet you your yours
    """.split()
)

# Each phrase counts as a whole: a pair of characters that only touches one is a seam, not a word.
CHINESE_PHRASES = frozenset(
    """
    什么 什么时候 什么样 什么地方 什么意思 什么东西 什么事 为什么 为了什么 干什么 做什么 是什么 怎么 怎么样 怎么办
    怎么做 怎么回事 怎样 如何 为何 为啥 干嘛 啥时候 哪里 哪儿 哪个 哪些 哪位 哪种 哪天 哪一天 哪一个 哪年 哪家 谁的
    多少 多久 多长 多长时间 几个 几点 几号 几时 几岁 几次 何时 何地 何人 是否 是不是 有没有 能不能 会不会 可不可以
    要不要 对不对 好不好 行不行 知不知道 请问 麻烦 帮我 帮忙 告诉 告诉我 跟我说 说说 说一下 讲讲 看看 想想 想知道
    我想知道 我想问 问一下 问问 查一下 记得 还记得 你知道 知道 我们 你们 他们 她们 它们 咱们 大家 自己 这个 那个
    这些 那些 这里 那里 这儿 那儿 这样 那样 这么 那么 这次 那次 这种 那种 这是 那是 可以 能够 应该 需要 或者 还是
    以及 而且 并且 但是 可是 不过 因为 所以 如果 然后 现在 目前 一下 一个 一些 有些 有关 关于 对于 由于 为了 除了
    已经 曾经 正在 之前 之后 以前 以后 的时候 时候 没有 不是 不会 不能 就是 都是 也是 只是 总是 好的 谢谢 你好 您好
    来着 另外 其实
    """.split()
)

# Alone they say little; beside another character they may well be half of a word (在线, 会议).
CHINESE_CHARACTERS = frozenset(
    "有在和与或及就都还又太把被给对从向到要会能可想请问说几个何为不没上下里去来过着得地之其此以于而且但让使再才只最更"
)

# A pair of characters that holds one of these is a seam between words, unless it begins a word listed below.
CHINESE_PARTICLES = frozenset("的了吗呢吧啊呀嘛哦么是我你您他她它们这那哪谁很也啥")

CHINESE_EXCEPTIONS = frozenset(
    """
    了解 了结 了断 了不起 明了 终了 目的 标的 有的放矢 酒吧 网吧 贴吧 书吧 吧台 是非 国是 自我 我国 我行 吉他 维他
    他人 他乡 刹那 禅那 那曲 那英 支那
    """.split()
)

_SMALL_TALK = re.compile(
    r"(?:hello|hi|hey|there|thanks?|thankyou|thx|alot|somuch|verymuch|ok|okay|yes|yeah|yep|no|nope|sure|great|cool|"
    r"bye|goodbye|good(?:morning|afternoon|evening|night)|你好|您好|大家好|早上好|下午好|晚上好|早安|晚安|早|嗨|谢谢|多谢|"
    r"谢谢你|谢谢您|好的|好|好吧|嗯|行|可以|收到|在吗|再见|拜拜|辛苦了|是的|不是|没有)+"
)
_LONGEST_SMALL_TALK = 60  # characters


def is_small_talk(text: str) -> bool:
    """Tell whether a text only greets, thanks or nods: it asks nothing, and short texts are near to everything."""
    if len(text) > _LONGEST_SMALL_TALK:
        return False
    words = re.findall(r"[^\W_]+", text.casefold())
    return bool(words) and _SMALL_TALK.fullmatch(" ".join(words).replace(" ", "")) is not None
