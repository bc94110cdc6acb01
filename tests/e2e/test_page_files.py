"""The page's files as they lie on disk: what a browser is given, without a browser."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from lattice_api.page import PLAIN_VIEWS
from lattice_api.page_files import PARTS, SCRIPT, STYLES, TALK, PageFiles, served
from lattice_api.page_routes import page_files
from lattice_api.page_scripts import bundle, imports_of, modules_of
from lattice_api.page_squeezed import joined, squeezed
from starlette.exceptions import HTTPException
from starlette.testclient import TestClient

ROOT = Path(__file__).resolve().parents[2]
UI = ROOT / "services" / "api" / "lattice_api" / "ui"
CODE = [path for path in sorted(UI.rglob("*")) if path.suffix in (".js", ".css", ".html", ".webmanifest")]
OWN = [path for path in CODE if "vendor" not in path.parts]

PAGE_BUDGET = 200_000
"""Bytes of page and scripts as they are sent, before compression, with all views but the map."""


def _loaded_by_the_page() -> set[Path]:
    """What a browser fetches for the page: index.html, the views, and all that these name."""
    found: set[Path] = set()
    todo = [UI / "index.html", *(UI / "views" / f"{view}.js" for view in (*PLAIN_VIEWS, "source", "about"))]
    while todo:
        path = todo.pop()
        if path in found:
            continue
        found.add(path)
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".html":
            names = re.findall(r'(?:src|href)="(/ui/[^"]+\.(?:js|css|webmanifest))"', text)
        else:
            names = re.findall(r"""(?:from\s*|import\s*|import\()["'](\.{0,2}/[^"']+\.js)["']""", text)
            names += re.findall(r'"(/ui/[^"]+\.(?:css|js))"', text)  # fetched later
        todo += [UI / name[4:] if name.startswith("/ui/") else (path.parent / name).resolve() for name in names]
    return found


def test_page_and_scripts_stay_small() -> None:
    """All of what is sent, views included that are fetched when they are first opened."""
    sizes = page_files().sizes()
    inside = {path.relative_to(UI).as_posix() for path in OWN}
    aside = {"login.js", "key.js", "ops.js", *SHEETS}
    sent = {
        name: size for name, size in sizes.items() if name in inside | {SCRIPT, STYLES, PARTS} and name not in aside | THE_MAP
    }
    assert {SCRIPT, STYLES, TALK, PARTS, "theme.js", "views/memories.js"} <= set(sent)
    assert sum(sent.values()) + len(page_files().html("index.html").encode()) <= PAGE_BUDGET


THE_MAP = {"views/graph.js", "views/graph-lens.js", "views/graph.css"}

SHEETS = {path.name for path in OWN if path.suffix == ".css"}


def test_the_start_of_the_page_is_one_script_and_one_style_sheet() -> None:
    html = page_files().html("index.html")
    assert re.findall(r'<script[^>]*src="([^"]+)"', html) == [f"{page_files().root}/theme.js", f"{page_files().root}/{SCRIPT}"]
    assert re.findall(r'<link rel="stylesheet" href="([^"]+)"', html) == [f"{page_files().root}/{STYLES}"]
    assert '"/ui/' not in page_files().text(SCRIPT).replace(f'"{page_files().root}/', "")
    started: set[Path] = set()
    todo = [UI / "app.js"]
    while todo:
        path = todo.pop()
        started.add(path)
        imports = re.findall(r"""(?:from|import)\s*["'](\.{0,2}/[^"']+\.js)["']""", path.read_text(encoding="utf-8"))
        found = {UI / name[4:] if name.startswith("/ui/") else (path.parent / name).resolve() for name in imports}
        todo += found - started
    order = modules_of("/ui/app.js", lambda address: imports_of(address, (UI / address[4:]).read_text(encoding="utf-8")))
    assert {UI / address[4:] for address in order} == started
    assert len(re.findall(r"^const \$\$\d+=", page_files().text(SCRIPT), re.MULTILINE)) == len(started)


def test_what_a_conversation_needs_is_one_script_that_shares_what_is_in_the_first() -> None:
    script, talk = page_files().text(SCRIPT), page_files().text(TALK)
    declared = re.findall(r"^const (\$\$\d+)=", talk, re.MULTILINE)
    assert declared
    assert set(declared).isdisjoint(re.findall(r"^const (\$\$\d+)=", script, re.MULTILINE))
    [taken] = re.findall(rf'import\{{([$\d,]+)\}}from"{page_files().root}/{SCRIPT}";', talk)
    assert set(taken.split(",")) <= set(re.findall(r"\$\$\d+", script.rpartition("export{")[2]))
    assert "lattice-entry" in talk
    assert 'define("lattice-entry"' not in script
    needing = [
        name
        for name in page_files().sizes()
        if name.endswith(".js") and f'from"{page_files().root}/{TALK}"' in page_files().text(name)
    ]
    assert needing == [], "would be waited for by a view"


def test_the_service_worker_keeps_the_files_of_the_page() -> None:
    assert f'"{page_files().root}/{SCRIPT}"' in page_files().worker()
    assert f'"{page_files().root}/views/memories.js"' in page_files().worker()


def test_a_view_takes_from_the_script_what_is_in_it() -> None:
    view = page_files().text("views/me.js")
    [taken] = re.findall(rf'import\{{([$\d,]+)\}}from"{page_files().root}/{SCRIPT}";', view)
    [module] = re.findall(r"\{amend,get\}=(\$\$\d+)[,;]", view)
    assert module in taken.split(",")
    assert f'from"{page_files().root}/{PARTS}"' in view
    assert "views/rows.js" not in page_files().sizes()


@pytest.mark.parametrize(
    ("modules", "wrong"),
    [
        ({"/ui/a.js": 'import { b } from "/ui/b.js";', "/ui/b.js": 'import { a } from "/ui/a.js";'}, "imports itself"),
        ({"/ui/a.js": "export default 1;"}, "not understood"),
    ],
)
def test_what_cannot_be_put_together_is_said_at_the_start(modules: dict[str, str], wrong: str) -> None:
    def put_together() -> str:
        order = modules_of("/ui/a.js", lambda address: imports_of(address, modules[address]))
        return bundle("/ui/s.js", {"/ui/s.js": order}, modules.__getitem__)

    with pytest.raises(ValueError, match=wrong):
        put_together()


def test_spaces_and_comments_go_and_whatever_is_quoted_stays() -> None:
    written = """const a = /[/"`]\\/ /g; // "said"
const b = `x  ${ { c: `y  ${ d / 2 / e }  ` }.c } // no comment`; /* away */
const f = "a  =  b" , g = 1 / 2;
const h = html`<i class="j" title="k l" lang="m"/>` + 'n="o" ';
"""
    squeezed_to = """const a=/[/"`]\\/ /g;
const b=`x  ${{c:`y  ${ d / 2 / e }  `}.c } // no comment`;
const f="a  =  b",g=1 / 2;
const h=html`<i class=j title="k l" lang="m"/>`+'n="o" ';
"""
    assert squeezed(written) == squeezed_to


def bare(source: str) -> str:
    """Without spaces, and without the brackets, commas, zeros and quotes that change nothing."""
    source = re.sub(r'(?<=[\w-])="([\w-]+)"(?=[ \n>])', r"=\1", re.sub(r"(?<![\w.])0(?=\.\d)", "", source))
    lone = re.sub(r"(?<![\w$)\]])\(([\w$]+)\)=>", r"\1=>", re.sub(r"\s+", "", source))
    return re.sub(r",(?=[)\]}])", "", lone).replace(";}", "}")


def test_a_whole_script_has_no_line_breaks_but_in_what_is_quoted() -> None:
    script = """const{a}=$$1;
const{b}=$$2;
const c=`x;
y`;
class D{e(){return a}
f(){return b}}
"""
    assert joined(script) == "let{a}=$$1,{b}=$$2,c=`x;\ny`;class D{e(){return a}f(){return b}}"


def test_constants_that_a_module_keeps_to_itself_have_short_names_and_others_their_own() -> None:
    script = """const MOST=3;
const NAMES={KEYS:1,MOST:2};
const AT_ONCE=[4,...MOST.MOST],LEFT=[...NAMES];
const SAID=`MOST ${AT_ONCE[0]} ${f(NAMES,AT_ONCE)}`;
return{GIVEN:LEFT,f,SAID};
"""
    declared = "let MOST=3,$a={KEYS:1,MOST:2},$b=[4,...MOST.MOST],LEFT=[...$a],SAID=`MOST ${$b[0]} ${f($a,$b)}`;"
    assert joined(script) == f"{declared}return{{GIVEN:LEFT,f,SAID}};"


def test_what_a_module_takes_and_declares_for_itself_has_short_names_but_not_what_is_a_property() -> None:
    script = """const{html,count,first:nothing}=$$1;
const helper=each=>html`<b>${each?nothing:helper(each.helper)}</b>`;
class Shown{count(){return 1}
render(){return helper({nothing:2,html})}}
function given(total){return total.nothing}
return{given};
"""
    parts = "{html,count,first:nothing}=$$1,$a=each=>html`<b>${each?nothing:$a(each.helper)}</b>`;"
    inside = "class Shown{count(){return 1}render(){return $a({nothing:2,html})}}"
    assert joined(script) == f"let{parts}{inside}function given(total){{return total.nothing}}return{{given}};"
    assert joined("const{html,nothing:none}=$$1;\nsay(html`a`,html`b`,none,none);\nhtml`c`;\n") == (
        "let{html:$a,nothing:$b}=$$1;say($a`a`,$a`b`,$b,$b);$a`c`;"
    )


def test_what_a_browser_has_keeps_its_name_where_a_block_has_something_of_that_name() -> None:
    script = "if(a){const history=1;\nconst within=history;\nsay(within,within);\n}\nhistory.back(history);\n"
    assert joined(script) == "if(a){let history=1,$a=history;say($a,$a);}history.back(history);"


def test_no_script_names_a_constant_that_has_another_name_there() -> None:
    scripts = {path.relative_to(UI).as_posix() for path in OWN if path.suffix == ".js"}
    for name in page_files().sizes():
        inside = [each for each in scripts if name == each or name in (SCRIPT, TALK, PARTS)]
        sent = re.sub(r'"[^"]*"', "", page_files().text(name)) if inside else ""
        for constant in {found for each in inside for found in CONSTANT.findall((UI / each).read_text(encoding="utf-8"))}:
            if f"{constant}=" not in sent:
                assert not re.search(rf"(?<![\w$'`/ -]){constant}(?![\w$'`/ :-])", sent), f"{constant} in {name}"


CONSTANT = re.compile(r"^const ([A-Z][A-Z\d_]{2,})\b", re.MULTILINE)


@pytest.mark.parametrize("path", [path for path in OWN if path.suffix in (".js", ".css")], ids=lambda path: path.name)
def test_what_is_sent_lacks_nothing_but_comments_and_spaces(path: Path) -> None:
    written = path.read_text(encoding="utf-8")
    without = re.sub(r"/\*[\s\S]*?\*/", "", written)
    if path.suffix == ".js":
        without = re.sub(r"(?:^|(?<=[ ;{]))//[^\n]*", "", without, flags=re.MULTILINE)
    sent = served(path.relative_to(UI).as_posix(), written)
    assert bare(sent) == bare(without)
    for text in re.findall(r"<(?:p|h2|h3|strong|button)[^<>$=]*>([^<>${}`\n]{8,})<", without):
        assert text in sent


def test_files_under_their_hash_last_for_ever_and_others_are_looked_after() -> None:
    http = TestClient(PageFiles(UI))
    first = http.get(f"/{page_files().version}/{SCRIPT}", headers={"accept-encoding": "gzip"})
    assert (first.status_code, first.headers["content-encoding"]) == (200, "gzip")
    assert first.headers["content-type"] == "text/javascript; charset=utf-8"
    assert first.headers["cache-control"] == "public, max-age=31536000, immutable"
    plain = http.get(f"/{page_files().version}/{SCRIPT}", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.content == first.content
    again = http.get(f"/{page_files().version}/{SCRIPT}", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert "cache-control" not in http.get("/app.js").headers
    for path in ("/nothing.js", "/", "/../app.py", "/%2e%2e/app.py", "/icons", "/000000000000/start.js"):
        assert _status(http, path) == 404, path


def _status(http: TestClient, path: str) -> int:
    try:
        return http.get(path).status_code
    except HTTPException as error:
        return error.status_code


def test_every_own_file_is_used() -> None:
    pages = {UI / name for name in ("login.css", "login.html", "login.js", "ops.css", "ops.html", "ops.js", "sw.js")}
    assert set(OWN) - _loaded_by_the_page() - pages == set()


def test_vendored_files_are_what_was_locked() -> None:
    checked = subprocess.run([sys.executable, ROOT / "infra" / "vendor_ui.py", "--check"], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize("path", [path for path in OWN if path.suffix == ".html"], ids=lambda path: path.name)
def test_pages_keep_to_the_content_security_policy(path: Path) -> None:
    html = path.read_text(encoding="utf-8")
    assert not re.search(r"\sstyle=|\son[a-z]+=|<style|javascript:", html)
    assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", html))


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.name)
def test_no_file_names_another_host(path: Path) -> None:
    named = re.findall(r"(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}", path.read_text(encoding="utf-8"), re.IGNORECASE)
    assert named == []


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.name)
def test_scripts_never_put_markup_into_the_page(path: Path) -> None:
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|unsafeHTML|document\.write|eval\(", path.read_text(encoding="utf-8")
    )


PAIRS = [(text, ground) for text in ("ink", "quiet", "accent", "warn", "bad") for ground in ("paper", "raised")]
PAIRS += [("on-accent", "accent"), ("ink", "highlight")]


@pytest.mark.parametrize(("text", "ground"), PAIRS, ids=lambda name: name)
def test_text_can_be_read_in_light_and_dark(text: str, ground: str) -> None:
    """WCAG 2.2, 1.4.3: at least 4.5 : 1."""
    tokens = dict(
        re.findall(r"--([a-z-]+): light-dark\((#[0-9a-f]{6}, #[0-9a-f]{6})\)", (UI / "app.css").read_text(encoding="utf-8"))
    )
    for ours, theirs in zip(tokens[text].split(", "), tokens[ground].split(", "), strict=True):
        lighter, darker = sorted((_luminance(ours), _luminance(theirs)), reverse=True)
        assert (lighter + 0.05) / (darker + 0.05) >= 4.5


def test_an_installed_page_starts_on_paper_of_its_own_light_and_dark() -> None:
    manifest = json.loads((UI / "manifest.webmanifest").read_text(encoding="utf-8"))
    [paper] = re.findall(r"--paper: light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", (UI / "app.css").read_text(encoding="utf-8"))
    dark = manifest["user_preferences"]["color_scheme"]["dark"]
    assert [(each["background_color"], each["theme_color"]) for each in (manifest, dark)] == [(each, each) for each in paper]


def _luminance(colour: str) -> float:
    """Relative luminance of `#rrggbb` (WCAG 2.2)."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
