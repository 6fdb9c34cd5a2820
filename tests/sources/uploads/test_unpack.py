"""What of an upload is stored, and what is refused before it does harm."""

from __future__ import annotations

import io
import struct
import tarfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devrag.core.errors import InvalidInput
from devrag.sources.uploads.limits import UploadLimits
from devrag.sources.uploads.store import CONTENT, read_left_out
from devrag.sources.uploads.unpack import UploadedFile, unpack

from .archives import sent, tar_of, tarred, zipped, zipped_as

FILES = {"docs/guide.md": b"# Guide\n", "src/app.py": b"x = 1\n"}


def store(folder: Path, *files: UploadedFile, **limits: int) -> dict[str, bytes]:
    """Unpack files; return what is stored, by path."""
    folder.mkdir(parents=True, exist_ok=True)
    unpack(files, folder, UploadLimits(**limits))
    content = folder / CONTENT
    return {
        str(path.relative_to(content)): path.read_bytes()
        for path in content.rglob("*")
        if path.is_file()
    }


def left_out(folder: Path) -> dict[str, str]:
    return {each.path: each.reason for each in read_left_out(folder)}


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("shop.zip", zipped(FILES)),
        ("shop.tar", tarred(FILES, "w")),
        ("shop.tar.gz", tarred(FILES, "w:gz")),
        ("shop.TGZ", tarred(FILES, "w:gz")),
        ("shop.tar.bz2", tarred(FILES, "w:bz2")),
        ("shop.tar.xz", tarred(FILES, "w:xz")),
        ("shop.tar.gz", tarred(FILES, "w:gz") + b"\0" * 512),
    ],
)
def test_archives_are_unpacked(tmp_path: Path, name: str, data: bytes) -> None:
    assert store(tmp_path, sent(name, data)) == FILES


def test_a_file_larger_than_a_block_is_whole(tmp_path: Path) -> None:
    data = b"".join(b"%08d\n" % number for number in range(150_000))
    for kind in ("zip", "tar.gz", "tar.xz", "tar.bz2"):
        mode = f"w:{kind.removeprefix('tar.')}"
        made = (
            zipped({"a.txt": data}) if kind == "zip" else tarred({"a.txt": data}, mode)
        )
        stored = store(tmp_path / kind, sent(f"a.{kind}", made))
        assert stored == {"a.txt": data}, kind


def test_single_files_are_stored_as_they_are(tmp_path: Path) -> None:
    files = [sent("設計.md", b"# A\n"), sent("b.docx", zipped({"x": b"y"}))]
    assert set(store(tmp_path, *files)) == {"設計.md", "b.docx"}


def test_the_folder_that_all_files_are_in_is_dropped(tmp_path: Path) -> None:
    data = zipped({f"shop-1.2/{name}": text for name, text in FILES.items()})
    assert store(tmp_path, sent("shop.zip", data)) == FILES


def test_what_systems_leave_behind_is_no_content(tmp_path: Path) -> None:
    noise = {"__MACOSX/._a.md": b"x", ".DS_Store": b"x", ".git/HEAD": b"x"}
    assert store(tmp_path, sent("a.zip", zipped({**FILES, **noise}))) == FILES


def test_an_archive_in_an_archive_is_a_file(tmp_path: Path) -> None:
    inner = zipped(FILES)
    assert store(tmp_path, sent("a.zip", zipped({"b.zip": inner, "c.md": b""}))) == {
        "b.zip": inner,
        "c.md": b"",
    }


@pytest.mark.parametrize("encoding", ["utf-8", "cp932"])
def test_names_in_an_encoding_that_is_not_stated(tmp_path: Path, encoding: str) -> None:
    names = {
        "設計/概要.md".encode(encoding): b"1",
        "表\\一覧.md".encode(encoding): b"2",
    }
    stored = store(tmp_path, sent("a.zip", zipped_as(names)))
    assert stored == {"設計/概要.md": b"1", "表/一覧.md": b"2"}


def test_western_names_of_old_programs(tmp_path: Path) -> None:
    names = {"café.txt".encode("cp437"): b"1"}
    assert store(tmp_path, sent("a.zip", zipped_as(names))) == {"café.txt": b"1"}


def test_names_of_macos_are_composed(tmp_path: Path) -> None:
    stored = store(tmp_path, sent("a.zip", zipped({"か\u3099.md": b""})))
    assert set(stored) == {"が.md"}


def test_names_in_tar_files_in_other_encodings(tmp_path: Path) -> None:
    raw = "設計.md".encode("cp932").decode("utf-8", "surrogateescape")
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.USTAR_FORMAT) as packed:
        packed.addfile(tarfile.TarInfo(raw))
    assert set(store(tmp_path, sent("a.tar", made.getvalue()))) == {"設計.md"}


@pytest.mark.parametrize(
    "name", ["../a.md", "/etc/passwd", "a/../../b.md", "C:/a.md", "..\\..\\a.md"]
)
def test_a_name_that_leads_out_refuses_the_archive(tmp_path: Path, name: str) -> None:
    for kind, data in (
        ("zip", zipped({name: b"x"})),
        ("tar", tarred({name: b"x"}, "w")),
    ):
        if kind == "tar" and "\\" in name:
            continue  # a name on Linux
        with pytest.raises(InvalidInput, match="outside its folder"):
            store(tmp_path / kind / "in", sent(f"a.{kind}", data))
    assert {path.name for path in tmp_path.rglob("*") if path.is_file()} == set()


def test_links_and_devices_are_left_out(tmp_path: Path) -> None:
    file, link, hard, device = map(tarfile.TarInfo, ("a.md", "b", "c", "d"))
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    hard.type, hard.linkname = tarfile.LNKTYPE, "a.md"
    device.type = tarfile.CHRTYPE
    data = tar_of(file, link, hard, device)
    assert set(store(tmp_path, sent("a.tar", data))) == {"a.md"}
    assert left_out(tmp_path) == {
        "b": "symlink in an archive",
        "c": "hard link in an archive",
        "d": "not a regular file",
    }
    assert not any(path.is_symlink() for path in tmp_path.rglob("*"))


def test_a_symlink_in_a_zip_file_is_left_out(tmp_path: Path) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as packed:
        link = zipfile.ZipInfo("link")
        link.external_attr = 0o120777 << 16
        packed.writestr(link, "/etc/passwd")
        packed.writestr("a.md", "x")
    assert set(store(tmp_path, sent("a.zip", made.getvalue()))) == {"a.md"}
    assert left_out(tmp_path) == {"link": "symlink in an archive"}


def test_a_name_that_no_file_system_takes_is_left_out(tmp_path: Path) -> None:
    data = zipped({f"{'あ' * 90}.md": b"x", "a.md": b"x"})
    assert set(store(tmp_path, sent("a.zip", data))) == {"a.md"}
    assert list(left_out(tmp_path).values()) == ["path is longer than 2,000 bytes"]


def test_the_last_of_equal_names_counts(tmp_path: Path) -> None:
    infos = [tarfile.TarInfo("a.md"), tarfile.TarInfo("a.md")]
    infos[1].size = 3
    assert store(tmp_path, sent("a.tar", tar_of(*infos))) == {"a.md": b"xxx"}


def test_a_file_and_a_folder_of_one_name_are_refused(tmp_path: Path) -> None:
    data = zipped({"a": b"x", "a/b": b"y"})
    with pytest.raises(InvalidInput, match="a file and a folder with the same name"):
        store(tmp_path, sent("a.zip", data))


def test_an_encrypted_zip_file_says_so(tmp_path: Path) -> None:
    data = bytearray(zipped({"a.md": b"secret"}))
    data[6] |= 1
    data[data.index(b"PK\1\2") + 8] |= 1
    with pytest.raises(InvalidInput, match="encrypted"):
        store(tmp_path, sent("a.zip", bytes(data)))


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_compression_without_bounds_is_refused(tmp_path: Path, method: int) -> None:
    with pytest.raises(InvalidInput, match="unsupported compression method"):
        store(tmp_path, sent("a.zip", zipped({"a.md": b"x"}, method)))


@pytest.mark.parametrize("kind", ["zip", "tar.gz", "tar.xz", "tar.bz2"])
def test_a_bomb_is_stopped_early(tmp_path: Path, kind: str) -> None:
    zeros = {"a.txt": b"\0" * 12_000_000}
    mode = f"w:{kind.removeprefix('tar.')}"
    data = zipped(zeros) if kind == "zip" else tarred(zeros, mode)
    with pytest.raises(InvalidInput, match="more than 100 times larger"):
        store(tmp_path, sent(f"a.{kind}", data))
    stored = sum(path.stat().st_size for path in tmp_path.rglob("*.txt"))
    assert stored <= 11_000_000


def test_a_skipped_bomb_is_stopped_too(tmp_path: Path) -> None:
    """A device whose data nobody stores is still unpacked to be passed over."""
    device = tarfile.TarInfo("d")
    device.type, device.size = b"Z", 30_000_000  # unknown types are files of that size
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as packed:
        packed.addfile(device, io.BytesIO(b"\0" * device.size))
    with pytest.raises(InvalidInput):
        store(tmp_path, sent("a.tar.gz", made.getvalue()), max_unpacked_bytes=1_000_000)


def test_too_many_files_and_bytes_are_refused(tmp_path: Path) -> None:
    data = zipped({f"{number}.md": b"x" * 100 for number in range(11)})
    with pytest.raises(InvalidInput, match="more than 10 files"):
        store(tmp_path / "a", sent("a.zip", data), max_files=10)
    with pytest.raises(InvalidInput, match="MAX_UPLOAD_UNPACKED_BYTES"):
        store(tmp_path / "b", sent("a.zip", data), max_unpacked_bytes=1_000)
    with pytest.raises(InvalidInput, match="MAX_UPLOAD_BYTES"):
        store(tmp_path / "c", sent("a.zip", data), max_bytes=1_000)


def test_a_list_of_entries_that_fills_memory_is_not_read(tmp_path: Path) -> None:
    """The end of a zip file states how long its list of entries is."""
    size = 9_000_000
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 1, 1, size, 0, 0)
    with pytest.raises(InvalidInput, match="damaged"):
        store(tmp_path, sent("a.zip", b"\0" * size + end), max_files=10)


def test_a_tar_head_that_fills_memory_is_not_read(tmp_path: Path) -> None:
    head = tarfile.TarInfo("long")
    head.type, head.size = tarfile.GNUTYPE_LONGNAME, 50_000_000
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as packed:
        packed.addfile(head, io.BytesIO(b"a" * head.size))
    with pytest.raises(InvalidInput, match="damaged"):
        store(tmp_path, sent("a.tar.gz", made.getvalue()))


@pytest.mark.parametrize("kind", ["zip", "tar", "tar.gz", "tar.xz", "tar.bz2"])
def test_a_cut_off_archive_is_refused(tmp_path: Path, kind: str) -> None:
    text = b"".join(b"%d " % number for number in range(5_000))
    mode = "w" if kind == "tar" else f"w:{kind.removeprefix('tar.')}"
    data = zipped({"a": text}) if kind == "zip" else tarred({"a": text}, mode)
    for cut in (len(data) // 3, len(data) - (9_000 if kind == "tar" else 20)):
        with pytest.raises(InvalidInput, match="damaged"):
            store(tmp_path / str(cut), sent(f"a.{kind}", data[:cut]))


@given(
    st.sampled_from(["zip", "tar", "tar.gz", "tar.xz", "tar.bz2"]),
    st.lists(st.tuples(st.integers(0, 2_000), st.integers(0, 255)), max_size=8),
)
def test_a_damaged_archive_is_stored_or_refused(
    tmp_path_factory: pytest.TempPathFactory,
    kind: str,
    damage: list[tuple[int, int]],
) -> None:
    mode = "w" if kind == "tar" else f"w:{kind.removeprefix('tar.')}"
    made = bytearray(zipped(FILES) if kind == "zip" else tarred(FILES, mode))
    for place, value in damage:
        made[place % len(made)] = value
    try:
        store(tmp_path_factory.mktemp("fuzz"), sent(f"a.{kind}", bytes(made)))
    except InvalidInput:
        return


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("a.7z", b"7z", "archive type that is not supported"),
        ("notes.md.gz", b"\x1f\x8b", "archive type that is not supported"),
        ("a.exe", b"MZ\0\0\1\2\0\0", "not text or a supported document"),
        ("a.zip", b"not a zip", "damaged"),
        ("a.tar", b"not a tar", "damaged"),
        ("a.tar.xz", b"", "damaged"),
        ("a.zip", zipped({}), "no files"),
        ("..", b"x", "outside its folder"),
        (f"{'a' * 300}.md", b"x", "Rename the file"),
    ],
)
def test_what_is_no_use_is_refused(
    tmp_path: Path, name: str, data: bytes, reason: str
) -> None:
    with pytest.raises(InvalidInput, match=reason):
        store(tmp_path, sent(name, data))


def test_an_archive_comes_alone(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="one archive"):
        store(tmp_path, sent("a.zip", zipped(FILES)), sent("b.md", b"x"))
