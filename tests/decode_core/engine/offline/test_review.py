"""A review by rules: counts, and findings with the line of the new file."""

from hypothesis import given, strategies as st

from decode_core.engine.offline.review import read_diff, review

DIFF = """\
exit 0
diff --git a/src/a.py b/src/a.py
index 1111111..2222222 100644
--- a/src/a.py
+++ b/src/a.py
@@ -1,3 +1,5 @@
 import os
-x = 1
+x = 2
+breakpoint()
+# TODO later
 y = 3
@@ -40 +42,2 @@ def f():
-    return
+    password = "hunter2hunter2"
+    return 1\x20
diff --git a/b.txt b/b.txt
new file mode 100644
--- /dev/null
+++ b/b.txt
@@ -0,0 +1 @@
+<<<<<<< HEAD
\\ No newline at end of file
"""


def test_changes_are_counted_per_file() -> None:
    assert [(change.path, change.added, change.removed) for change in read_diff(DIFF)] == [
        ("src/a.py", 5, 2),
        ("b.txt", 1, 0),
    ]


def test_findings_carry_the_line_of_the_new_file() -> None:
    findings = [(change.path, number, problem) for change in read_diff(DIFF) for number, problem, _ in change.findings]
    assert findings == [
        ("src/a.py", 3, "debug output"),
        ("src/a.py", 4, "open to-do"),
        ("src/a.py", 42, "secret in the text?"),
        ("src/a.py", 43, "blanks at the end"),
        ("b.txt", 1, "conflict mark"),
    ]


def test_the_review_reads_as_one_text() -> None:
    text = review(DIFF)
    assert text is not None
    assert text.startswith("2 files changed, +6 −2:\n\n- `src/a.py` +5 −2\n- `b.txt` +1 −0\n\n5 findings:\n")
    assert "- `src/a.py:3` debug output: `breakpoint()`" in text


def test_a_clean_diff_says_what_was_checked() -> None:
    clean = "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n"
    text = review(clean)
    assert text is not None
    assert "Nothing in it breaks a rule that I check" in text


def test_removed_lines_that_look_like_headers_are_content() -> None:
    tricky = "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,2 +1 @@\n--- x\n-diff --git a/q b/q\n+++ y\n"
    assert [(change.path, change.added, change.removed) for change in read_diff(tricky)] == [("f", 1, 2)]


def test_a_diff_whose_middle_is_left_out_says_so() -> None:
    seam = "… (90,000 bytes in all; the middle is left out) …"
    cut = f"diff --git a/f b/f\n@@ -1,50 +1,50 @@\n-a\n+b\n{seam}\n+TODO\ndiff --git a/g b/g\n@@ -0,0 +1 @@\n+c\n"
    assert [(change.path, change.added, change.is_cut) for change in read_diff(cut)] == [
        ("f", 1, True),
        ("g", 1, False),
    ]
    text = review(cut)
    assert text is not None
    assert "too long to be seen whole" in text


def test_no_diff_is_none() -> None:
    assert review("exit 0\n") is None
    assert review("") is None


@given(st.text(alphabet="diff --git a/b\n@+-1,2 \\x", max_size=300))
def test_no_text_raises(text: str) -> None:
    review("diff --git a/f b/f\n@@ -1,9 +1,9 @@\n" + text)
    review(text)
