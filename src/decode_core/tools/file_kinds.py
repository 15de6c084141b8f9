"""What a binary file is, by its first bytes. Pure."""

import struct
from dataclasses import dataclass


@dataclass(frozen=True)
class FileKind:
    """A kind of file in words; `name` reads after `article`: "a PNG image of 640 × 480 pixels"."""

    name: str
    is_image: bool = False

    @property
    def article(self) -> str:
        """`a` or `an`."""
        return "an" if self.name.startswith(("E", "SQ", "MP")) else "a"


def describe(data: bytes) -> FileKind:
    """Name what `data`, which is no text, most likely is."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return FileKind(f"PNG image{_png_size(data)}", is_image=True)
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return FileKind("WebP image", is_image=True)
    for magic, name in _IMAGES:
        if data.startswith(magic):
            return FileKind(name, is_image=True)
    for magic, name in _OTHERS:
        if data.startswith(magic):
            return FileKind(name)
    return FileKind("binary file")


def _png_size(data: bytes) -> str:
    if data[12:16] != b"IHDR" or len(data) < 24:
        return ""
    width, height = struct.unpack(">II", data[16:24])
    return f" of {width} × {height} pixels"


_IMAGES = (
    (b"\xff\xd8\xff", "JPEG image"),
    (b"GIF87a", "GIF image"),
    (b"GIF89a", "GIF image"),
    (b"BM", "BMP image"),
    (b"II*\0", "TIFF image"),
    (b"MM\0*", "TIFF image"),
)
_OTHERS = (
    (b"%PDF-", "PDF document"),
    (b"\x7fELF", "ELF binary"),
    (b"\xcf\xfa\xed\xfe", "Mach-O binary"),
    (b"MZ", "Windows binary"),
    (b"PK\x03\x04", "ZIP archive"),
    (b"\x1f\x8b", "gzip archive"),
    (b"BZh", "bzip2 archive"),
    (b"\xfd7zXZ\0", "xz archive"),
    (b"SQLite format 3\0", "SQLite database"),
    (b"\0asm", "WebAssembly module"),
    (b"\xca\xfe\xba\xbe", "Java class"),
)
