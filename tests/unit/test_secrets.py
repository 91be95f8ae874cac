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
    "api_key=aaaaaaaaaaaaaaaaaaaa", "one-time ", "key", "xoxb-", "5", "_", "-", " ", "\n", "a",
]  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_very_long_hostile_text_finishes(piece):
    every_word = " 验证码 password api_key sk- eyJ ghp_ -----begin"
    masked = mask_secrets(piece * (300_000 // len(piece)) + every_word)
    assert find_secrets(masked) == ()
