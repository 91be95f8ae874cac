"""Secrets are found where they are, ordinary text is left alone, and hostile text costs only its length."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.domain.secrets import Secret, find_secrets, mask_secrets

# Assembled from pieces: a scanner of this repository should not mistake a made-up key for a lost one.
BASE62 = "q7Zt2Lm9Xw4Rb8Kc1Vn5Hd3Jf6Gs0PyTaUeQoWi"
HEX = "9f86d081884c7d659a2feaa0c55ad015"
KEYS = {
    "openai": "sk-" + "proj-" + BASE62,
    "anthropic": "sk-" + "ant-api03-" + BASE62 + "_" + BASE62[::-1] + "-AA",
    "deepseek": "sk-" + HEX,
    "github": "gh" + "p_" + BASE62[:36],
    "github fine-grained": "github" + "_pat_" + BASE62[:22] + "_" + BASE62,
    "gitlab": "gl" + "pat-" + BASE62[:20],
    "aws": "AK" + "IA" + "Q7ZT2LM9XW4RB8KC",
    "aliyun": "LT" + "AI5t" + BASE62[:20],
    "google": "AI" + "za" + BASE62[:35],
    "slack": "xo" + "xb-" + "123456789012-" + BASE62[:24],
    "stripe": "sk" + "_live_" + BASE62[:24],
    "npm": "np" + "m_" + BASE62[:36],
    "hugging face": "h" + "f_" + BASE62[:34],
    "jwt": "ey" + "JhbGciOiJIUzI1NiJ9" + ".ey" + "JzdWIiOiIxMjM0In0." + BASE62,
}
PEM = (
    "-----BEGIN "
    + "RSA PRIVATE KEY-----\n"
    + (BASE62 * 2)[:64]
    + "\n"
    + BASE62[:30]
    + "==\n-----END RSA PRIVATE KEY-----"
)
OPENSSH = PEM.replace("RSA", "OPENSSH")
CARD = "4111" + "1111" + "1111" + "1111"
UNIONPAY = "6222" + "0212" + "3456" + "7890" + "128"
ID_CARD = "110105" + "19491231" + "002X"
FULL_WIDTH = {ord(digit): ord(digit) + 0xFEE0 for digit in "0123456789X"}
FULL_WIDTH_MARKS = {ord(mark): ord(mark) + 0xFEE0 for mark in ",:;()="}


def rules(text: str) -> list[str]:
    return [secret.rule for secret in find_secrets(text)]


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS.keys())
@pytest.mark.parametrize("frame", ["{}", "use {} for the tests.", "测试环境用{}。", '{{"k": "{}"}}'])
def test_vendor_keys_are_found_whole(key, frame):
    text = frame.format(key)
    start = text.index(key)
    assert find_secrets(text) == (Secret("api_key", start, start + len(key)),)


@pytest.mark.parametrize("block", [PEM, OPENSSH, PEM.replace("\n", "\\n"), PEM.rsplit("\n", 1)[0]])
def test_private_keys_are_found_whole_even_when_cut_off(block):
    assert mask_secrets(f"部署:\n{block}") == "部署:\n[private_key]"


ENGLISH = {
    "password: hunter2": "password: [password]",
    "The wifi password is Tr0ub4dor.": "The wifi password is [password].",
    "DB_PASSWORD=s3cr3t!pass": "DB_PASSWORD=[password]",
    "passwd = 'correct7horse'": "passwd = '[password]'",
    '{"user": "bob", "password": "swordfish"}': '{"user": "bob", "password": "[password]"}',
    "pwd: swordfish, user: bob": "pwd: [password], user: bob",
    "password: password: hunter2": "password: password: [password]",
    f"api_key = '{BASE62[:32]}'": "api_key = '[api_key]'",
    "API key: 123e4567-e89b-12d3-a456-426614174000": "API key: [api_key]",
    f"client_secret={HEX}": "client_secret=[api_key]",
    "Your verification code is 123456.": "Your verification code is [one_time_code].",
    "OTP: 482913": "OTP: [one_time_code]",
    "Your Google verification code is G-482913": "Your Google verification code is G-[one_time_code]",
    "482913 is your Google verification code": "[one_time_code] is your Google verification code",
    "one-time password: 123 456": "one-time password: [one_time_code]",
    "Visa 4111 1111 1111 1111 exp 12/30": "Visa [bank_card] exp 12/30",
    "card 4111-1111-1111-1111": "card [bank_card]",
    "4111 1111 1111 1111 737": "[bank_card] 737",
    "Amex 3782 822463 10005": "Amex [bank_card]",
    f"ids {ID_CARD}, {CARD}": "ids [id_card], [bank_card]",
    f"password: {KEYS['openai']}": "password: [api_key]",
    "postgres://bob:zf8sl2AhGyJv@db.example.com/x": "postgres://bob:[password]@db.example.com/x",
    "mysql://root:P4ss!word@10.0.0.1": "mysql://root:[password]@10.0.0.1",
    "redis://:hunter2@cache:6379": "redis://:[password]@cache:6379",
    "https://bob:p@ss7w@example.com/": "https://bob:[password]@example.com/",
    f"Authorization: Bearer {BASE62}": "Authorization: Bearer [api_key]",
    "Authorization: Basic " + "dXNlcjpwYXNzd29yZDE=": "Authorization: Basic [api_key]",
    f"https://example.com/hook?token={BASE62[:36]}": "https://example.com/hook?token=[api_key]",
    f"secret: {BASE62[:24]}": "secret: [api_key]",
    "passwd is correct-horse-9": "passwd is [password]",
    "PIN: 4921": "PIN: [password]",
    "my card's pin is 4921.": "my card's pin is [password].",
    "p\u200bassword: Tr0ub4dor&3": "p\u200bassword: [password]",
    f"ke\u00ady s\u2060k-{HEX}": "ke\u00ady [api_key]",
}


@pytest.mark.parametrize(("text", "masked"), ENGLISH.items(), ids=ENGLISH.keys())
def test_english_secrets_are_masked(text, masked):
    assert mask_secrets(text) == masked


CHINESE = {
    "密码是abc123": "密码是[password]",
    "密码:hunter2,别告诉别人": "密码:[password],别告诉别人",
    "邮箱密码为 Qwer!234。": "邮箱密码为 [password]。",
    "WiFi密码 a1b2c3d4": "WiFi密码 [password]",
    "密码已改成“tiger2020”": "密码已改成“[password]”",
    "开机密码是123456": "开机密码是[password]",
    "口令:sesame": "口令:[password]",
    "密码=abc123": "密码=[password]",
    "验证码 123456": "验证码 [one_time_code]",
    "【某宝】您的验证码为:4829,请勿泄露": "【某宝】您的验证码为:[one_time_code],请勿泄露",
    "482913(登录验证码),五分钟内有效": "[one_time_code](登录验证码),五分钟内有效",
    "动态码是 829134": "动态码是 [one_time_code]",
    "动态密码:829134": "动态密码:[one_time_code]",
    f"他的身份证号是{ID_CARD}。": "他的身份证号是[id_card]。",
    f"身份证{ID_CARD.lower()}": "身份证[id_card]",
    "身份证 110105 19491231 002X": "身份证 [id_card]",
    f"身份证{ID_CARD.translate(FULL_WIDTH)}": "身份证[id_card]",
    f"工行卡{UNIONPAY}尾号": "工行卡[bank_card]尾号",
    f"卡号:{CARD.translate(FULL_WIDTH)}": "卡号:[bank_card]",
    "卡号 4111 1111 1111 1111": "卡号 [bank_card]",
    f"密钥:{BASE62[:32]}": "密钥:[api_key]",
    f"访问令牌:{BASE62[:32]}": "访问令牌:[api_key]",
    f"阿里云 {KEYS['aliyun']}": "阿里云 [api_key]",
    "支付密码 839201": "支付密码 [password]",
    "取款密码 4921,别忘了": "取款密码 [password],别忘了",
    "PIN码:4921": "PIN码:[password]",
    "PIN码 4921": "PIN码 [password]",
    "密\u200b码是abc123": "密\u200b码是[password]",
}


@pytest.mark.parametrize(("text", "masked"), CHINESE.items(), ids=CHINESE.keys())
@pytest.mark.parametrize("marks", [{}, FULL_WIDTH_MARKS], ids=["half width", "full width"])
def test_chinese_secrets_are_masked(text, masked, marks):
    assert mask_secrets(text.translate(marks)) == masked.translate(marks)


ORDINARY = [
    "Call me at +86 138 0013 8000 or 010-62345678.",
    "Order no. 20260415123045 shipped, tracking 1Z999AA10123456784.",
    "The meeting is on 2026-04-15 at 09:30, room 4021.",
    "ISBN 978-7-111-12806-9 and 9780306406157 are on the desk.",
    "Fixed in 9fceb02d0ae598e95dc970b74767f19372d61af8.",
    "Request 123e4567-e89b-12d3-a456-426614174000 failed.",
    "Digits only: 12345678-1234-4123-8123-123456789012.",
    "Needs Python 3.11.7, numpy 1.26.4 and torch 2.3.0+cu121.",
    "It costs $1,299.99 or 4,111,111,111,111,111 in old money.",
    "He forgot his password and asked for a reset.",
    "The password policy asks for 12 characters.",
    "password: required, at least 8-16 characters",
    "The password is too short; the password is case-sensitive.",
    "password = getpass(); password = os.environ['DB_PASSWORD']; password = settings.db.password",
    "password: <your password>, password: ${DB_PASSWORD}, password: ********",
    "Passwords are hashed: the password is sha256-hashed.",
    "Then pwd: /home/user1 and the password file: /etc/passwd",
    "The verification code expires in 300 seconds.",
    "verification code: 6 digits; OTP: 2026-04-15; verification code is 4096 characters long",
    "Use sk-learn-style-names-in-the-whole-project, the Slovak sk-SK locale, a risk-based approach.",
    "api_key = your_api_key_goes_here_1; api_key = settings.openai_api_key_v2; api_key: str",
    "The score was 0.4111111111111111 and 12.378282246310005.",
    "A PEM file starts with -----BEGIN PRIVATE KEY----- and ends with -----END PRIVATE KEY-----.",
    "Snowflake 1780123456789012345, epoch 1776242400000, IMEI 356938035643809.",
    "Set Authorization: Bearer <token>; the token limit is 200000.",
    "我的手机号是13800138000,座机010-62345678。",
    "订单号20260415123045678已发货,快递单号SF1234567890123。",
    "会议改到2026年4月15日下午3点,2026年的预算是1234567元。",
    "他忘记了密码,需要重置密码。",
    "密码学课程在周三,密码学: RSA2048 很重要。",
    "密码长度为8-16位,密码为8位以上。",
    "密码是什么?密码:见保险柜。",
    "密码 SHA256 加密后存储,密码用 bcrypt 处理。",
    "验证码是6位数字,验证码 2026年起改为短信。",
    "验证码已发送到13800138000,300秒内有效。",
    "动态密码比静态密码安全。",
    "书号978-7-111-12806-9,定价59.80元,版本号3.11.7。",
    "提交9fceb02d0ae598e95dc970b74767f19372d61af8已合并。",
    "身份证号码有18位,最后一位是校验码。",
    "银行卡在抽屉里,卡号我记不住。",
    "房间号4021,门牌62号,邮编100084。",
    "口令红包很好玩,口令是什么我忘了。",
    "The token budget is 2000 tokens; token budget: 200000.",
    "I pinned it to my PIN board; my PIN board has 4921 pins.",
    "Connect pin 13 to ground, pin: 7, pin = 21, GPIO pin is 18.",
    "The tokenizer has 50257 tokens and token=None by default.",
    "Her secret is a good night's sleep; the secret: patience.",
    "Secret Santa is on 2026-12-18; secret = settings.secret_key.",
    "next_page_token: null, page token: next",
    "Docs at https://example.com/a/b?page=2&sort=asc#top.",
    "Clone git@github.com:owner/project.git or https://github.com/owner/project.git.",
    "Open http://localhost:8080/users/@me, then http://127.0.0.1:5432/.",
    "See https://medium.com/@writer/a-title-8c1f2d3e4b5a for more.",
    "Use postgres://user:password@localhost/db as the pattern.",
    "DATABASE_URL=postgres://postgres:postgres@localhost:5432/test",
    "mysql://root:${MYSQL_PASSWORD}@db and mysql://root:***@db",
    "redis://:<password>@cache:6379, amqp://guest:guest@rabbit/",
    "Mail bob:alice@example.com? No, write to alice@example.com.",
    "The bearer of this letter is a friend; basic understanding-of-the-matter helps.",
    "Send the header Authorization: Bearer YOUR_TOKEN_HERE.",
    "commit 1f7ec5e27fde1f7ec5e27fde1f7ec5e27fde1f7e fixes it",
    "The image is sha256:9f86d081884c7d659a2feaa0c55ad0159f86d081884c7d659a2feaa0c55ad015.",
    "trace id 4bf92f3577b34da6a3ce929d0e0e4736, span 00f067aa0ba902b7",
    "uuid 6ba7b810-9dad-11d1-80b4-00c04fd430c8 and 550e8400-e29b-41d4-a716-446655440000",
    "Order A-2026-000817 and invoice INV20260415-0012 are paid.",
    "Flight MU5137 on 4921 seats, gate 27, terminal 2.",
    "The password is correct; the passwd is case-sensitive, the password was wrong.",
    "The passphrase was lost, so the password is reset-only.",
    "password: string (required), passwd: default-value",
    "Passwords: see the vault. PIN: see the card.",
    "The pinned version is 1.4921; pin is not needed.",
    "Pinterest: 4921 followers. Spinning 4921 times.",
    "PIN 2026-04-15 in the calendar, PIN: 4 digits",
    "He lives at 4921 Elm Street, zip 94110.",
    "Call 400-820-8820, extension 4921, before 18:30.",
    "Version v1.2.3-rc.4+build.5678, tag release-2026.04.15",
    "CSS: #1f7ec5, rgba(31,126,197,0.5); the key is to stay calm.",
    "The API key is stored in the vault; the api key: see 1Password.",
    "Her favourite key signature is F-sharp; keyboard: 87 keys.",
    "基础 token 预算是 2000,每轮 token 约 300。",
    "令牌环网络是一种旧技术,令牌: 见文档。",
    "我的 PIN 板上有 4921 张图,PIN 针脚 13 接地。",
    "支付密码忘记了,需要找回;密码 见保险柜",
    "忘记密码 10086,重置密码 123456 会发短信",
    "修改密码 2026-04-15,密码 3 次输错会锁定",
    "密码学 2026 年秋季课程在 301 教室",
    "密码本第 4921 页,密码锁型号 8392。",
    "数据库地址 postgres://user:password@localhost/db,端口 5432",
    "仓库 git@github.com:owner/project.git,主页 https://example.com:8443/",
    "提交 1f7ec5e27fde1f7ec5e27fde1f7ec5e27fde1f7e 已发布",
    "追踪号 4bf92f3577b34da6a3ce929d0e0e4736,批次 20260415",
    "订单 2026041512304567,金额 4921.00 元",
    "秘密花园是一本书,秘密:多喝水。",
    "他是持票人(bearer),basic 认证已停用。",
    "航班 MU5137,座位 27A,登机口 4921。",
    "快递柜取件码请看短信,取件时间 18:30。",
    "身份验证用的是指纹,不用密码。",
    "接口文档:https://example.com/docs?id=8392017465",
    "令牌桶大小 100000,速率 4921 次每秒",
    "版本 2026.4.15,构建号 8392017465",
    "👩\u200d👩\u200d👧 went to the PIN board",
    "zero\u200bwidth text without anything in it",
]


@pytest.mark.parametrize("text", [*ORDINARY, *(text.translate(FULL_WIDTH_MARKS) for text in ORDINARY)])
def test_ordinary_text_is_returned_as_the_same_object(text):
    assert find_secrets(text) == ()
    assert mask_secrets(text) is text


def test_secrets_are_named_in_order_with_offsets_into_the_text_given():
    wide = ID_CARD.translate(FULL_WIDTH)
    text = f"𝟏 {wide};{CARD};password: hunter2"
    found = find_secrets(text)
    assert [secret.rule for secret in found] == ["id_card", "bank_card", "password"]
    assert [text[secret.start : secret.end] for secret in found] == [wide, CARD, "hunter2"]


def id_number(region: str, born: date, serial: int) -> str:
    head = f"{region}{born:%Y%m%d}{serial:03d}"
    total = sum(int(digit) * pow(2, 17 - at, 11) for at, digit in enumerate(head))
    return head + "0123456789X"[(12 - total) % 11]


@given(
    region=st.sampled_from(["110105", "310101", "440305", "620102", "650104"]),
    born=st.dates(date(1900, 1, 1), date(2099, 12, 31)),
    serial=st.integers(0, 999),
    wrong=st.integers(1, 10),
)
def test_only_an_identity_number_with_its_check_digit_is_one(region, born, serial, wrong):
    number = id_number(region, born, serial)
    assert rules(number) == ["id_card"]
    other = "0123456789X"[("0123456789X".index(number[-1]) + wrong) % 11]
    assert "id_card" not in rules(number[:-1] + other)


@pytest.mark.parametrize("head", ["11010519490231002", "11010519491331002", "01010519491231002", "11010529491231002"])
def test_an_identity_number_needs_a_real_date_and_region(head):
    assert not any("id_card" in rules(head + check) for check in "0123456789X")


def luhn_digit(head: str) -> str:
    doubled = [int(digit) * (2 - at % 2) for at, digit in enumerate(reversed(head))]
    return str(-sum(value // 10 + value % 10 for value in doubled) % 10)


@given(
    issuer=st.sampled_from(
        [("4", 16), ("4", 13), ("51", 16), ("2720", 16), ("37", 15), ("36", 14), ("62", 19), ("62", 16)]
    ),
    digits=st.lists(st.integers(0, 9), min_size=19, max_size=19),
    wrong=st.integers(1, 9),
)
def test_only_a_card_number_with_its_check_digit_is_one(issuer, digits, wrong):
    prefix, length = issuer
    head = (prefix + "".join(map(str, digits)))[: length - 1]
    check = luhn_digit(head)
    # Gansu's identity numbers begin with 62 too and are named first.
    assert rules(head + check) in (["bank_card"], ["id_card"])
    assert "bank_card" not in rules(head + str((int(check) + wrong) % 10))


def test_a_card_number_needs_a_known_issuer():
    head = "1" * 15
    assert rules(head + luhn_digit(head)) == []


PIECES = [
    *KEYS.values(), PEM, PEM[:60], "-----BEGIN PRIVATE KEY-----", "\uff15", ID_CARD.translate(FULL_WIDTH),
    CARD, UNIONPAY, ID_CARD, "\uff1a", "4111 1111 1111 1111", "1234", "123456", "1", "12", "0.", "password",
    "password: ",
    "pwd=", "hunter2", "swordfish",
    "密码是", "密码", "口令:", "验证码", "验证码:", "OTP: ", " is your verification code", "(登录验证码",
    "api_key=", "密钥:",
    BASE62, HEX, "sk-", "eyJ", "[password]", "[api_key]", "[", "]", "(", ")", " ", "\n", ".", ",", "-",
    "_", "/", ":", "=",
    "://", "://bob:", "@db", "token=", "Bearer ", "PIN: ", "PIN码", "令牌:", "\u200b", "\u2060",
    '"', "'", "。", "“", "年", "位", "x", "X", "ſ", "\u212a", "²", "required", "a",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=12).map("".join))
def test_masking_leaves_no_secret_and_changes_nothing_else(text):
    found = find_secrets(text)
    masked = mask_secrets(text)
    assert find_secrets(masked) == ()
    assert (masked is text) == (found == ())
    kept, parts = 0, []
    for rule, start, end in found:
        assert kept <= start < end <= len(text)
        parts += [text[kept:start], f"[{rule}]"]
        kept = end
    assert masked == "".join(parts) + text[kept:]


HOSTILE = [
    "4", "4111 ", "4111-1111-", "1.", "11010519491231", "sk-", "sk-aaaaaaaaaaaaaaaaaaaaaaaa-", "-eyJ", "-eyJaaaaaaaaa.",
    "-----BEGIN PRIVATE KEY-----", "-----BEGIN " + "PRIVATE KEY-----\n" + "A" * 40, "-----BEGIN A", "password:",
    "password: ",
    "password is ", "pwd=(", "密码", "密码是", "密码 ", "口令:", "验证码", "验证码 ", "1234(",
    "123 456 is your ", "api_key=",
    "://", "://a:", "://a:b@", "://a:bbbb@", "a:bbb@", "pin", "pin:", "pin is ", "PIN码 ", "bearer ", "token=",
    "\u200b", "p\u200bassword: a", "api_key=aaaaaaaaaaaaaaaaaaaa", "one-time ",
    "key", "xoxb-", "5", "_", "-", " ", "\n", "a",
]  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_very_long_hostile_text_finishes(piece):
    every_word = " 验证码 password api_key sk- eyJ ghp_ -----begin"
    masked = mask_secrets(piece * (300_000 // len(piece)) + every_word)
    assert find_secrets(masked) == ()
