"""What is wrong with an address is told as what it is: an option, a file, a certificate, and not as silence."""

import socket
import ssl
import threading
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtensionOID, NameOID

from recollect import ConfigError, RecollectError, open_memory

SSL_REQUEST_BYTES = 8


def refusal(url: str) -> RecollectError:
    with pytest.raises(RecollectError) as caught:
        open_memory(url).close()
    assert caught.value.text("zh") and "hunter2" not in caught.value.text("en")
    return caught.value


def beside(url: str, options: str) -> str:
    return f"{url}{'&' if '?' in url else '?'}{options}"


class TestOptions:
    @pytest.mark.parametrize(
        ("option", "said"),
        [
            ("sslmode=blah", "blah"),
            ("service=nosuch", "nosuch"),
            ("gssencmode=blah", "gssencmode"),
            ("target_session_attrs=blah", "target_session_attrs"),
            ("nosuch=1", "nosuch"),
            ("connect_timeout=abc", "connect_timeout"),
            ("port=abc", "port"),
        ],
    )
    def test_one_that_postgresql_cannot_read_is_named(self, postgres_url: str, option: str, said: str) -> None:
        problem = refusal(beside(postgres_url, option))
        assert (problem.key, problem.path, isinstance(problem, ConfigError)) == ("bad_option", "database", True)
        assert said in problem.text("en") and "does not answer" not in problem.text("en")

    @pytest.mark.parametrize("option", ["ssl_ca", "ssl_cert", "ssl_key"])
    def test_a_file_that_is_not_there_is_named(self, mysql_url: str, option: str) -> None:
        problem = refusal(beside(mysql_url, f"{option}=/no/such.pem"))
        assert (problem.key, problem.path, isinstance(problem, ConfigError)) == ("option_file", "database", True)
        assert "/no/such.pem" in problem.text("en") and option in problem.text("zh")

    @pytest.mark.parametrize("engine", ["postgres", "mysql"])
    def test_no_part_of_an_address_is_cut_off(self, request: pytest.FixtureRequest, engine: str) -> None:
        url: str = request.getfixturevalue(f"{engine}_url")
        place, mark, options = url.partition("?")
        problem = refusal(f"{place}%00ignored{mark}{options}")
        assert (problem.key, problem.path) == ("bad_url", "database") and "%00" in problem.text("en")


class TestCertificates:
    def test_one_that_does_not_stand_for_the_server(self, mysql_url: str) -> None:
        problem = refusal(beside(mysql_url, "ssl_verify_cert=true"))
        assert problem.key == "tls_failed"
        assert "certificate" in problem.text("en") and "does not answer" not in problem.text("en")

    def test_a_file_that_holds_none(self, mysql_url: str) -> None:
        assert refusal(beside(mysql_url, f"ssl_ca={__file__}")).key == "tls_failed"

    def test_a_server_without_encryption(self, tmp_path: Path) -> None:
        with Stranger(tmp_path, answer=b"N") as port:
            problem = refusal(f"postgresql://u:hunter2@127.0.0.1:{port}/db?sslmode=require")
        assert problem.key == "tls_failed" and "does not support SSL" in problem.text("en")

    def test_one_that_postgresql_does_not_trust(self, tmp_path: Path) -> None:
        with Stranger(tmp_path) as port:
            url = f"postgresql://u:hunter2@127.0.0.1:{port}/db"
            own, absent = tmp_path / "own.pem", tmp_path / "absent.pem"
            _certificate(own, tmp_path / "own.key")
            for options, said in (
                (f"sslmode=verify-ca&sslrootcert={own}", "certificate verify failed"),
                (f"sslmode=verify-full&sslrootcert={tmp_path / 'cert.pem'}", "127.0.0.1"),
                (f"sslmode=verify-full&sslrootcert={absent}", "absent.pem"),
            ):
                problem = refusal(f"{url}?{options}")
                assert problem.key == "tls_failed" and said in problem.text("en"), problem.text("en")


def _certificate(cert: Path, key: Path) -> None:
    """Write a certificate of its own making for a name that is nobody's."""
    private = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "elsewhere.invalid")])
    now = datetime.now(UTC)
    made = x509.CertificateBuilder(
        issuer_name=name,
        subject_name=name,
        public_key=private.public_key(),
        serial_number=x509.random_serial_number(),
        not_valid_before=now - timedelta(days=1),
        not_valid_after=now + timedelta(days=1),
        extensions=[
            x509.Extension(ExtensionOID.BASIC_CONSTRAINTS, True, x509.BasicConstraints(ca=True, path_length=None))
        ],
    ).sign(private, hashes.SHA256())
    pem = serialization.Encoding.PEM
    plain = (serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    cert.write_bytes(made.public_bytes(pem))
    key.write_bytes(private.private_bytes(pem, *plain))


class Stranger:
    """A server that answers as PostgreSQL whether it encrypts, and shows a certificate that nobody knows."""

    def __init__(self, folder: Path, answer: bytes = b"S") -> None:
        self._said = answer
        _certificate(folder / "cert.pem", folder / "key.pem")
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(folder / "cert.pem", folder / "key.pem")

    def __enter__(self) -> int:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._answer)
        self._thread.start()
        return self._listener.getsockname()[1]

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()

    def _answer(self) -> None:
        with suppress(OSError):
            while True:
                asking, _ = self._listener.accept()
                with asking, suppress(OSError):
                    asking.recv(SSL_REQUEST_BYTES)
                    asking.sendall(self._said)
                    with self._context.wrap_socket(asking, server_side=True) as answering:
                        answering.recv(1)
