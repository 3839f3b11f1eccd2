// The certificate: what was reached, by which text, and all that it takes to check it, on one sheet of paper.

import { get } from "../api.js";
import { $, button, html, svg } from "../dom.js";
import { percent } from "../words.js";
import { attempt, books, day, exam, kindName, lang, name, rows, t } from "./kit.js";
import { whatWasRight } from "./lesson.js";

const place = $("#certificate");
const of = name ? `name=${encodeURIComponent(name)}` : "";
const MOST = 8;

const short = (hex) => `${hex.slice(0, 4)} ${hex.slice(4, 8)} ${hex.slice(8, 12)} ${hex.slice(12, 16)} … ${hex.slice(-4)}`;

function shareBar(share, least) {
  return svg(
    "svg",
    { class: "xbar", viewBox: "0 0 240 12", "aria-hidden": "true" },
    svg("rect", { class: "xtr", width: 240, height: 12 }),
    svg("rect", { class: "xfl", width: 240 * share, height: 12 }),
    least > 0 && svg("line", { class: "xlim", x1: 2.4 * least, x2: 2.4 * least, y1: 0, y2: 12 }),
  );
}

async function show() {
  const [signed, shown, reached, checked] = await Promise.all(["/certificate", "", "/result", "/checks"].map((more) => get(`/api/school/exams/${exam}${more}?${of}`)));
  const said = JSON.parse(signed.text);
  const { result, plan } = said;
  const wrong = await Promise.all(result.wrong.slice(0, MOST).map((one) => get(`/api/school/exams/${exam}/set/${one.place}?${lang}&${of}`)));
  const share = result.right / (result.items || 1);
  const lapsed = result.passed ? "lapsed" : "changed_since"; // there is nothing to renew where nothing was passed
  const file = new Blob([JSON.stringify(signed)], { type: "application/json" });
  place.replaceChildren(
    html("p", { class: "acts noprint" }, button("primary", () => print(), {}, t("print")), html("a", { class: "btn", href: URL.createObjectURL(file), download: `certificate-${exam}-${said.person}.json` }, t("certificate_file")), html("a", { class: "btn quiet", href: `/school/exams/${exam}` }, t("back"))),
    html(
      "div",
      { class: "noprint checks" },
      (reached.lapsed || reached.renewed_by) && html("p", { class: "notice" }, reached.renewed_by ? [t("renewed_by"), " ", html("a", { href: `/school/exams/${reached.renewed_by}/certificate?${of}` }, reached.renewed_by)] : t(lapsed)),
      html("p", {}, t(checked.ok ? "checks" : "checks_wrong")),
      html("ul", { class: "dots" }, ...checked.checks.map((one) => html("li", {}, html("b", {}, t(`check_${one.check}`)), " ", html("span", { lang: "en" }, one.wrong || one.holds)))),
    ),
    html(
      "article",
      { class: "a4" },
      html("header", { class: "xh" }, html("b", { class: "xb" }, "thirdcard"), html("span", {}, t("school_play_money"))),
      html(
        "div",
        { class: "xmain" },
        html("p", { class: "xeb" }, t("certificate_of")),
        html("h1", {}, said.person),
        html("p", { class: "xl" }, t(result.passed ? "has_passed" : "has_sat"), " ", html("b", {}, plan.title), " ", t("under_rules")),
        html("p", { class: "xl" }, t("by_book", { title: books[said.rulebook] ?? said.rulebook })),
        html(
          "div",
          { class: "xs" },
          figure(percent(share), t("right_of", { right: result.right, items: result.items })),
          figure(`${result.pass_mark}%`, t("needed")),
          figure(t("minutes", { count: plan.minutes }), t("allowed")),
          figure(day(new Date(said.day).getTime() * 1000), t("day")),
        ),
      ),
      html(
        "section",
        { class: "xt" },
        html("h2", {}, t("by_part")),
        rows(
          "",
          [t("part"), [t("items"), "r"], [t("right_count"), "r"], [t("share"), "r"], t("share_line")],
          ...result.parts.map((one) => html("tr", {}, html("td", {}, kindName(one.kind)), html("td", { class: "r" }, one.items), html("td", { class: "r" }, one.right), html("td", { class: "r" }, percent(one.right / (one.items || 1))), html("td", {}, shareBar(one.right / (one.items || 1), one.least)))),
          html("tr", { class: "tot" }, html("td", {}, t("together")), html("td", { class: "r" }, result.items), html("td", { class: "r" }, result.right), html("td", { class: "r" }, percent(share)), html("td")),
        ),
      ),
      html(
        "section",
        { class: "xt two2" },
        html("h2", {}, t("wrong_and_why")),
        wrong.length
          ? rows("", [t("item"), t("what_was_right"), t("paragraph")], ...wrong.map((one) => html("tr", {}, html("td", {}, one.place + 1), html("td", {}, ...whatWasRight(one, 1)), html("td", {}, one.item.solution.paragraphs.slice(0, 2).join(" ")))))
          : html("p", {}, t("nothing_wrong")),
        result.wrong.length > MOST && html("p", {}, t("and_more", { count: result.wrong.length - MOST })),
      ),
      html(
        "section",
        { class: "xv" },
        html(
          "div",
          {},
          html("h2", {}, t("can_be_checked")),
          html(
            "dl",
            {},
            ...[
              [t("set"), exam],
              [t("sealed_before"), short(said.seal)],
              [t("opened_after"), said.seed],
              [t("rulebook"), said.rulebook],
              [t("answers_hash"), short(said.answers_sha256)],
              ...(said.renews ? [[t("renews"), `${said.renews.exam} · ${short(said.renews.sha256)}`]] : []),
            ].flatMap(([label, value]) => [html("dt", {}, label), html("dd", {}, value)]),
          ),
          html("p", {}, t("checked_how", { items: result.items })),
        ),
        html("div", { class: "sig" }, html("p", {}, html("i"), html("span", {}, t("examiner", { name: shown.by }))), html("p", {}, html("i"), html("span", {}, t("for_the_house")))),
      ),
      html("footer", { class: "xf" }, html("span", {}, reached.renewed_by ? `${t("lapsed_word")} · ${t("renewed_by")} ${reached.renewed_by}` : reached.lapsed ? t(lapsed) : t(result.passed ? "valid_while" : "result_only", { version: said.version })), html("span", {}, t("page_of_one"))),
    ),
  );
}

const figure = (value, label) => html("div", {}, html("b", {}, value), html("span", {}, label));

await attempt(show);
