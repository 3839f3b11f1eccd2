"""Modules and style sheets joined with what they import."""

import pytest

from thirdcard.web.joining import joined_script, joined_sheet

FILES = {
    "js/page.js": b'import { two as both } from "./two.js";\nimport "./one.js";\nimport("./later.js");\nboth();\n',
    "js/two.js": b'// of both\nimport { ONE } from "./one.js";\n/** Twice. */\nexport function two() {\n  return 2 * ONE;\n}\n',
    "js/one.js": b"export const ONE = await 1;\n",
    "js/later.js": b'import { ONE } from "./one.js";\nimport { last } from "./last.js";\nlast(ONE);\n',
    "js/last.js": b"export async function last() {}\n",
    "css/page.css": b'@import "base.css";\nb {}\n',
    "css/base.css": b"/* All\n   pages. */\na {}\n",
}


def test_modules_are_joined_in_the_order_in_which_they_run() -> None:
    made = {name: text.decode() for name, text in joined_script(FILES, "page").items()}
    assert list(made) == ["joined/page.js", "joined/last.js", "joined/later.js"]
    assert made["joined/page.js"] == (
        "export const modules = {};\n"
        '{ // one.js\nconst ONE = await 1;\nmodules["one"] = { ONE };\n}\n'
        '{ // two.js\nconst { ONE } = modules["one"];\nfunction two() {\n  return 2 * ONE;\n}\nmodules["two"] = { two };\n}\n'
        '{ // page.js\nconst { two: both } = modules["two"];\n\nimport("./later.js");\nboth();\nmodules["page"] = {  };\n}\n'
    )
    assert made["joined/later.js"] == (
        'import { modules } from "./page.js";\nconst { ONE } = modules["one"];\nimport { last } from "./last.js";\nlast(ONE);\n'
    )


@pytest.mark.parametrize(
    "line",
    [
        "export default 1;",
        "export let counted = 0;",
        'export * from "./one.js";',
        'import * as all from "./one.js";',
        'import one from "./one.js";',
        "export { both };",
        'import {\n  ONE,\n} from "./one.js";',
    ],
)
def test_what_would_not_mean_the_same_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"page\.js has"):
        joined_script({**FILES, "js/page.js": FILES["js/page.js"] + line.encode() + b"\n"}, "page")


def test_modules_that_import_each_other_are_refused() -> None:
    circle = {**FILES, "js/one.js": b'import { two } from "./two.js";\nexport const ONE = 1;\n'}
    with pytest.raises(ValueError, match="import each other"):
        joined_script(circle, "page")


def test_a_sheet_has_those_that_it_imports_in_their_place() -> None:
    assert joined_sheet(FILES, "page") == b"a {}\n\nb {}\n"
