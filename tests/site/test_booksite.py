"""Tests of the site generator: what it makes from the book, the corpus and games."""

import json
import re
from pathlib import Path

import attrs
import pytest

from booksite import links
from booksite.__main__ import addressed, clause_rows, place_in_list
from booksite.chapters import asked, best, chapter_page, mark_for_judges
from booksite.chapters import history as how_it_changed
from booksite.disputes import (
    FILE,
    Dispute,
    address_of_topic,
    dispute_html,
    disputes,
    disputes_page,
)
from booksite.elements import script
from booksite.faces import faces_script, style
from booksite.games import EXAMPLES, Game, examples, full, of_trace
from booksite.guides import GUIDES, guide_page, open_questions_page, sources_page
from booksite.home import home_page
from booksite.marks import (
    CHAPTERS,
    clause_address,
    clause_link,
    clause_links,
    clause_titled,
    inline,
)
from booksite.matrix import matrix_page
from booksite.options import RING, options_page, value_said
from booksite.profiles import compared, profile_page, profiles_page, rules
from booksite.topics import TOPICS, topic_of
from refengine.formats.trace import read_trace, replay
from refengine.game.rulesets import Ruleset
from refengine.lawbook import history
from refengine.lawbook.book import SPEC, clauses
from refengine.lawbook.bulletin import BulletinEntry
from refengine.lawbook.citing import citation_today
from refengine.lawbook.editions import edition
from refengine.lawbook.options import OPTIONS
from refengine.lawbook.profiles import profile, profile_names
from refengine.lawbook.reading import chapter_of, mentions
from refengine.lawbook.spoken import profile_name, spoken_options
from refengine_conformance.strength.matrix import matrix_rows
from refengine_conformance.strength.scores import committed_document
from tests.support.node import node_prints

pytestmark = pytest.mark.interpreted("about the generator of the site, no part of it")
STATIC = Path(links.__file__).parents[1] / "static"
DRAW = (EXAMPLES / "01-draw.jsonl").read_bytes()


@pytest.fixture(scope="module")
def told() -> dict[str, Dispute]:
    """The disputes by their ids."""
    return {one.id: one for one in disputes()}


def test_sentences_link_to_clauses_options_and_profiles() -> None:
    html = inline(
        "as `barred` in openspiel-hearts (5.5), first_trick_points, not 5.5.1"
    )

    assert "<code>barred</code>" in html
    assert 'href="profile-openspiel-hearts.html"' in html
    assert 'href="5-play.html#5.5" title="No points on the first trick"' in html
    assert 'href="options.html#first_trick_points"' in html
    assert html.endswith("not 5.5.1")
    assert inline("a <b> & **c** *d*") == (
        "a &lt;b&gt; &amp; <strong>c</strong> <em>d</em>"
    )


@pytest.mark.parametrize("chapter", list(map(str, range(11))))
def test_a_chapter_has_every_clause_with_its_citation(chapter: str) -> None:
    page = chapter_page(chapter, [])

    there = [one for one in clauses().values() if chapter_of(one.number) == chapter]
    assert [*CHAPTERS][int(chapter)] == chapter
    assert len(there) > 5
    for clause in there:
        assert f"# {clause.number} {clause.title}\n" in page
        assert str(citation_today(clause)) in page


def test_the_tenth_chapter_has_the_questions_of_a_table() -> None:
    page = chapter_page("10", [])

    assert "<h3>Somebody led out of turn. Does the lead stand?</h3>" in page
    assert "When was it noticed? <b>Before the next card was played.</b>" in page
    assert "is for the people at the table" in page
    assert 'href="ask.html#ask=table&amp;number=10.8"' in page
    assert 'href="10-at-the-table.html#10.15a"' in inline("see 10.15a.")
    assert clause_address("1.1") == "1-cards.html#1.1"
    assert asked(None) == ""


@pytest.mark.parametrize(
    ("query", "number"),
    [
        ("misdeal", "10.8"),
        ("exposed card", "10.12"),
        ("renege", "10.19"),
        ("out of turn", "10.14"),
        ("concede", "10.22"),
        ("kibitzer", "10.23"),
    ],
)
def test_what_players_say_finds_a_clause_of_chapter_ten(
    query: str, number: str
) -> None:
    rows = {row[0]: row for row in clause_rows()}
    _, title, address, lines, around, cited = rows[number]
    words = f"{title} {' '.join(lines)} {around}".lower()
    assert all(word in words for word in query.split())
    assert address == f"10-at-the-table.html#{number}"
    assert cited.startswith(f"HFR {number}@")


def test_addresses_of_sources_are_links_and_not_every_source_has_a_profile() -> None:
    page = sources_page()

    for name in ("foster", "barker", "isu", "trickster"):
        assert f'<p id="{name}">' in page
    assert 'href="https://github.com/TricksterCards/TricksterBots/issues/239"' in page
    assert "profile-none" not in page
    assert inline("<https://a.example/?b=1&c>") == (
        '<a class="address" href="https://a.example/?b=1&amp;c">'
        "https://a.example/?b=1&amp;c</a>"
    )
    assert inline("a <b> c") == "a &lt;b&gt; c"


def test_the_open_questions_are_a_page_that_links_their_clauses() -> None:
    page = open_questions_page()
    text = (SPEC / "open-questions.md").read_text("utf-8")
    named = [one for one in mentions(text) if one in clauses()]
    assert len(named) > 40
    assert all(f'href="{clause_address(one)}"' in page for one in named)
    assert f'<th scope="row">{clause_link("0.9")}</th>' in page
    home = home_page([], next(examples()), [])
    assert 'href="open-questions.html"' in home
    assert "\nopen-questions\n" in home


def test_the_page_of_a_clause_tells_how_it_has_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = edition("1.0.0")
    game = next(examples())
    before = first.members["clauses"]["5.3"]
    text = before["text"].replace("MUST play", "MAY throw")
    later = {**first.members["clauses"]}
    later["5.3"] = {**before, "title": "A <b>", "text": text, "digest": "00000000"}
    later["5.99"] = {**before, "number": "5.99"}
    draft = attrs.evolve(
        first, version="1.9.0", members={**first.members, "clauses": later}
    )
    entry = BulletinEntry(
        "1.9.0", "clauses", ("5.3",), "text", None, None, "effect", "As in 5.4."
    )
    games = [game.id, *(f"t-{number}" for number in range(12))]
    found = {"1.9.0": {"clauses": {"5.3": games}}}
    monkeypatch.setattr(history, "_versions", lambda: (first, draft))
    monkeypatch.setattr(history, "_entries", lambda: (entry,))
    monkeypatch.setattr(history, "_games", lambda: found)
    monkeypatch.setattr(history, "clause", lambda number: None)

    told = how_it_changed("5.3", [game])

    assert "<h4>1.9.0, a draft, after 1.0.0</h4>" in told
    assert "was <del>Follow suit</del> and is <ins>A &lt;b&gt;</ins>" in told
    assert "suit led <del>MUST play</del> a card" in told
    assert "suit led <ins>MAY throw</ins> a card" in told
    assert "<b>Why</b>, a change of effect: As in <a " in told
    assert 'href="5-play.html#5.4"' in told
    assert f"{game.id}</a>, t-0, t-1" in told
    assert "t-8, and 3 more" in told
    assert "The kind" not in told
    assert "The clause is new" in how_it_changed("5.99", [])
    assert how_it_changed("5.4", []) == ""


def test_games_know_where_a_clause_forbids_something() -> None:
    found = {game.name: game for game in examples()}
    draw = found["draw until you can follow"]

    assert draw.shows["6.1"] == 2
    assert draw.address(2) == "viewer.html#trace=t-2dfead5755935980&step=2"
    assert found["a mini-deal, counted"].steps == []
    assert draw.entry()[3:6] == ["gamerules-domino", 2, 6]


def test_a_game_of_the_viewer_is_a_trace_that_replays() -> None:
    line = full(DRAW)
    written = json.dumps(of_trace(read_trace(DRAW))).encode()

    assert line["id"] == json.loads(DRAW)["id"]
    assert all("hands" in step["then"] for step in line["steps"])
    assert replay(read_trace(written)) == []


def test_the_plainest_games_of_a_clause_come_first() -> None:
    line = full(DRAW)
    bundled = Game(id="a", name="", group="examples", line=line)
    forbids = Game(id="b", name="", group="corpus", line=line)
    silent = Game(id="c", name="", group="corpus", line={**line, "steps": []})

    assert best("6.1", [silent, forbids, bundled]) == [bundled, forbids, silent]


@pytest.mark.unmeasured
def test_disputes_are_games_that_replay_to_their_question(
    told: dict[str, Dispute],
) -> None:
    found = list(told.values())
    assert found[1].game.steps[-1]["act"] == {"play": "QS"}
    for one in (found[1], told["moon-by-a-revoker"]):
        assert replay(read_trace(json.dumps(one.game.line).encode())) == []


@pytest.mark.unmeasured
def test_arguments_answer_what_they_ask_in_rows_that_differ(
    told: dict[str, Dispute],
) -> None:
    scores = 0
    for line in FILE.read_text("utf-8").splitlines():
        stated = json.loads(line)
        one = told[stated["id"]]
        rows = [(row.verdict, row.says, row.rest) for row in one.answers]
        assert len({*rows}) == len(rows)
        assert sum(len(row.rulesets) for row in one.answers) == len(stated["answers"])
        for answer in stated["answers"]:
            row = next(row for row in one.answers if answer["ruleset"] in row.rulesets)
            said = " ".join(str(sentence) for sentence in (*one.everywhere, *row.says))
            for key, begin in (
                ("score", "The score of the deal is"),
                ("totals", "The totals are"),
            ):
                if answer["verdict"] != "refused" and answer.get("then", {}).get(key):
                    numbers = enumerate(answer["then"][key])
                    by_seat = ", ".join(f"seat {seat}: {n}" for seat, n in numbers)
                    assert f"{begin} {by_seat}." in said, (one.id, key)
                    scores += 1
    assert scores > 50
    stock = told["everybody-out-at-once"]
    assert not stock.asks_verdict
    assert "In every case" in dispute_html(stock)
    assert "May seat 1" not in dispute_html(stock)
    limit = dispute_html(told["exactly-a-hundred"])
    assert 'title="dominorules-tiles">Hearts with tiles</a> somebody has to' in limit
    queen = dispute_html(told["first-trick-queen"])
    assert "May seat 1 play the queen of spades?" in queen
    assert queen.count("</b> Clubs were led and seat 1 has none: another suit") == 1
    assert queen.count("</b> Clubs were led, seat 1 has none and the stock") == 1


def test_options_profiles_and_sources_have_their_pages() -> None:
    page = options_page()

    assert all(f"## {one.name}\n" in page for one in spoken_options().values())
    assert all(f"<code>{option.name}</code>" in page for option in OPTIONS)
    one = profile_page(profile("gamerules-domino"), list(examples()))
    assert Ruleset("gamerules-domino").citation in one
    assert "draw until you can follow" in one
    assert 'Ruleset("gamerules-domino", players=' in one
    assert '<p id="gamerules">' in sources_page()


def test_a_value_on_which_the_source_is_silent_is_marked() -> None:
    one = profile("common-hearts")
    ruled = [
        option.name for option in OPTIONS if value_said(one, option).endswith(RING)
    ]
    assert {*ruled} == {*one.rulings} != set()


@pytest.mark.parametrize(
    ("number", "answering", "dispute", "address"),
    [
        ("5.3", ["5.3"], "", "5-play.html#5.3"),
        ("", ["8.3", "8.4"], "", "8-score.html#8.3"),
        ("", ["8.3"], "moon-by-a-revoker", "arguments.html#moon-by-a-revoker"),
        ("", [], "", ""),
    ],
)
def test_what_is_found_has_its_address(
    number: str, answering: list[str], dispute: str, address: str
) -> None:
    entry = [number, "title", "says", answering, dispute, [], "text", "around"]
    assert addressed(entry) == [*entry[:4], address, *entry[5:]]


def test_guides_lead_to_each_other() -> None:
    assert "[formats](formats.md)" in guide_page("adapters")
    assert "[*Questions and answers*](questions.md)" in guide_page("rulings")
    assert '<a href="ask.html">' in guide_page("rulings")


def test_clauses_that_guides_cite_are_links() -> None:
    cited = f"[{clause_links(['5.3', '7.1'])}]"
    assert cited in guide_page("irregularities")
    assert "[5.3, 7.1]" not in guide_page("irregularities")
    for page in GUIDES:
        blocks = re.findall("```.*?```|`[^`\\n]+`", guide_page(page), re.DOTALL)
        assert not any("clause-link" in one for one in blocks)


def test_a_game_of_one_step_has_one_step() -> None:
    line = full(DRAW)
    short = line | {"steps": line["steps"][:1]}
    game = Game(id="t-1", name="", group="corpus", line=short, fires=("5.1",))
    for page in (
        chapter_page("5", [game]),
        profile_page(profile(game.profile), [game]),
    ):
        assert "1 step<" in page
        assert "1 steps" not in page


def test_faces_follow_the_theme_that_a_reader_chose() -> None:
    # Once for light, once for dark as chosen, once for dark as the system has it.
    assert style().count(".rf-felt") == 3
    assert 'body:not([data-theme="light"])' in style()
    assert faces_script().count("\n") > 52


SHEETS = sorted(path.name for path in STATIC.glob("*.css"))


@pytest.mark.parametrize("file", [*SHEETS, ""])
def test_dark_colours_are_for_screens_alone(file: str) -> None:
    css = (STATIC / file).read_text("utf-8") if file else style()
    block = r"\{[^{}]*\}"
    for _ in range(3):  # faces of cards are that deep in braces
        block = rf"\{{(?:[^{{}}]|{block})*\}}"
    # After a comma, another medium would follow.
    elsewhere = re.sub(rf"@media screen[^{{,]*{block}", "", css)
    assert elsewhere
    assert not re.findall(r'"dark"|scheme: ?dark', elsewhere)


def test_a_script_gives_its_data_to_the_others() -> None:
    assert script("ONE", {"a": "é"}) == 'window.REFENGINE_ONE={"a": "é"};\n'


@pytest.mark.parametrize(
    ("link", "wrong"),
    [
        ("there.html", ""),
        ("there.html#5.3", ""),
        ("there.html#5.4", "no such anchor"),
        ("gone.html", "no such file"),
        ("profiles.html#compare=black-maria&with=spot-hearts", ""),
        ("profiles.html#compare=black-maria", ""),
        ("profiles.html#compare=black-lady", "no such profile"),
        ("profiles.html#with=black-maria", "no such profile"),
        ("viewer.html#trace=t-1&step=2", ""),
        ("viewer.html#trace=t-1&step=3", "no such step"),
        ("viewer.html#trace=t-1&step=0", "no such step"),
        ("viewer.html#trace=t-1&step=two", "no such step"),
        ("viewer.html#trace=t-2", "no such game"),
        ("viewer.html#clause=5.99", "no such clause"),
        ("viewer.html#profile=whist", "no such profile"),
        ("ask.html#ask=card&profile=common-hearts&hand=QS", ""),
        ("ask.html#ask=table&number=10.8", ""),
        ("ask.html#ask=hearts", "no such question"),
        ("ask.html#profile=common-hearts", "no such question"),
        ("ask.html#ask=card&profile=hearts", "no such profile"),
        ("ask.html#ask=table&number=10.1", "no such clause of chapter 10"),
    ],
)
def test_a_link_that_leads_nowhere_is_found(
    link: str, wrong: str, tmp_path: Path
) -> None:
    games = tmp_path / "_static" / "games"
    games.mkdir(parents=True)
    (games / "t-1.js").write_text('refengineGame({"steps":[{}]});\n')
    (tmp_path / "there.html").write_text('<h2 id="5.3">Follow suit</h2>')
    for name in ("viewer", "profiles", "ask"):
        (tmp_path / f"{name}.html").write_text("<h1></h1>")
    (tmp_path / "a.html").write_text(f'<a href="{link}">x</a>'.replace("&", "&amp;"))

    expected = [f"a.html: {link}: {wrong}"] if wrong else []
    assert links.broken(tmp_path) == expected


def test_ids_twice_and_files_from_elsewhere_are_found(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_text('<p id="x"></p><p id="x"></p><script src="//a.example/b.js">')

    assert links.broken(tmp_path) == [
        "a.html: id x twice",
        "a.html: //a.example/b.js: loaded from elsewhere",
    ]


def test_the_matrix_is_a_page_with_a_row_and_a_link_for_every_clause() -> None:
    page = matrix_page(matrix_rows(committed_document()))
    for number in clauses():
        assert clause_titled(number) in page
    assert page.count('<div class="table-wrapper') == page.count('tabindex="0"')
    labels = re.findall('aria-label="([^"]+)"', page)
    assert len({*labels}) == len(labels) == page.count('tabindex="0"') > 10


def test_arguments_stand_under_their_topic_once_each() -> None:
    found = disputes()
    page = disputes_page(found)
    heads = re.findall("^(##+) (.+)$", page, re.MULTILINE)
    under: dict[str, list[str]] = {}
    for marks, title in heads:
        if marks == "##":
            here = under[title] = []
        else:
            here.append(title)
    assert [*under] == [*TOPICS]
    assert all(under.values())
    told = [title for titles in under.values() for title in titles]
    assert sorted(told) == sorted(one.title for one in found)
    assert "Exactly a hundred" in under["The end of the match"]
    assert "Moon with the jack" in under["Shooting the moon"]
    assert "First trick queen" in under["The opening lead and the first trick"]
    assert "Draw though able" in under["Domino Hearts and the stock"]
    assert "Fourth deal" in under["Passing"]
    for topic, titles in under.items():
        link = f'href="#{address_of_topic(topic)}">{topic}</a> '
        assert f'{link}<span class="soft">{len(titles)}</span>' in page


@pytest.mark.parametrize(
    ("act", "ruling", "topic"),
    [
        ("play", ["5.5a"], "The opening lead and the first trick"),
        ("play", ["5.5b"], "The queen of spades"),
        ("play", ["5.12", "5.4"], "Following suit, and whose turn it is"),
        ("play", ["8.3c"], "Shooting the moon"),
        ("play", ["8.8"], "What cards cost"),
        ("claim", ["5.5"], "Claiming a revoke"),
        ("moon", ["2.3"], "Shooting the moon"),
    ],
)
def test_the_act_tells_the_topic_or_else_the_first_clause(
    act: str, ruling: list[str], topic: str
) -> None:
    assert topic_of("a-new-one", act, ruling) == topic


def test_profiles_are_told_by_what_differs() -> None:
    page = profiles_page()
    sections = dict(
        re.findall(r"^## (.+)$([^#]*(?:#(?!# )[^#]*)*)", page, re.MULTILINE)
    )
    for name in profile_names():
        assert f'<code class="typed">{name}</code>' in sections[profile_name(name)]
    spot = sections[profile_name("spot-hearts")]
    rows = re.findall("<tr>(.*?)</tr>", spot)[1:]
    told = {re.findall('<code class="typed">(.*?)</code>', row)[0] for row in rows[1:]}
    one, base = profile("spot-hearts"), profile("common-hearts")
    assert told == {
        option.name
        for option in OPTIONS
        if option.bites(one.options)
        and one.options[option.name] != base.options[option.name]
    }
    queen = next(row for row in rows if "queen_points" in row)
    cells = re.findall("<td>(.*?)</td>", queen)
    assert cells[:2] == ["25", "13"]
    assert 'href="1-cards.html#1.5"' in cells[2]
    old = sections[profile_name("pokerwiner-hearts")]
    assert "No effect here: " in old
    assert "pass_count" in old.partition("No effect here: ")[2]


def test_a_rule_differs_where_it_has_an_effect_in_one_game_only() -> None:
    found = {rule.name: rule for rule in rules()}
    assert found["pass_count"].differs("pokerwiner-hearts", "common-hearts")
    assert not found["pass_count"].differs("estmesh-hearts", "common-hearts")
    assert found[""].differs("black-maria", "common-hearts")
    data = compared()
    assert {*data["games"]} == {*profile_names()}
    assert [rule[0] for rule in data["rules"]] == [*found]


def test_a_clause_for_judges_says_so_on_its_page() -> None:
    mark = '<p class="for-judges"><a class="clause-link" href="0-reading.html#0.14"'
    assert mark_for_judges("5.3") == mark_for_judges("0.7") == ""
    # A sub-clause goes with its clause, and not the other way round.
    for number in ("0.7a", "1.8", "3.9", "3.9e", "3.12", "3.12v", "9.8d"):
        assert mark_for_judges(number).startswith(mark)
        assert mark_for_judges(number).endswith(">For judges and machines</a></p>")
    page = chapter_page("1", [])
    marked = page.partition("## 1.8 ")[2].partition("## 1.9 ")[0]
    assert page.count("For judges and machines</a>") == 2
    assert marked.count("For judges and machines</a>") == 1


def test_the_act_decides_without_a_clause_and_what_has_no_topic_is_named() -> None:
    assert topic_of("a-new-one", "claim", []) == "Claiming a revoke"
    with pytest.raises(ValueError, match="a-new-one"):
        topic_of("a-new-one", "play", ["10.15"])


def test_a_log_is_no_counted_game() -> None:
    found = {game.name: game for game in examples()}
    log, mini = found["a compact log"], found["a mini-deal, counted"]
    dispute = disputes()[0].game
    assert place_in_list(log) < place_in_list(dispute) < place_in_list(mini)
    assert (log.entry()[5], mini.entry()[5]) == (4, 0)


def test_the_viewer_names_the_parts_of_a_position_and_guesses_nothing() -> None:
    line = {
        "trace": 1,
        "ruleset": {"profile": "common-hearts", "players": 3},
        "setup": {
            "hands": ["5D", "3C", "4C 5C"],
            "leader": 0,
            "trick": "2C",
            "hearts_broken": False,
        },
        "steps": [
            {"seat": 1, "act": {"play": "3C"}},
            {
                "seat": 2,
                "act": {"play": "4C"},
                "then": {"trick": {"leader": 0, "cards": "2C 3C 4C", "winner": 2}},
            },
            {"seat": 2, "act": {"play": "5C"}, "then": {"hearts_broken": True}},
            {"seat": 0, "act": {"play": "5D"}},
        ],
    }
    program = (
        "globalThis.window = {};"
        "for (const name of ['forms', 'reader'])"
        " require(`${process.argv[1]}/trace-${name}.js`);"
        "const { deals, frames } = window.RefengineReader.read(process.argv[2]);"
        "console.log(JSON.stringify([deals[0].parts,"
        " frames.map((one) => one.hearts_broken)]))"
    )
    parts, broken = json.loads(
        node_prints("-e", program, str(STATIC), json.dumps(line))
    )
    assert [(part["name"], part["steps"]) for part in parts] == [
        ("The trick as found", [0, 1]),
        ("Trick 1", [2, 3]),
    ]
    assert broken == [False, None, None, True, True]
