// Sounds and the dealer's voice as people choose them: offered once, then behind the button in the top bar.

import { $, button, html, icon } from "./dom.js";
import { closing } from "./panels.js";
import { sentence } from "./placards.js";
import { chosen, loudness, setLoudness, sound } from "./sound.js";
import { on } from "./state.js";
import { call, onVoices, setTongue, setVoiceLoudness, tongue, tongues, voiceLoudness } from "./voice.js";
import { t } from "./words.js";

const FIRST = 0.6; // how loud sounds are when they are switched on
const OFFER_MS = 20_000;
const TRIAL = "place-your-bets"; // what a voice says to be heard

export function watchSound() {
  $("#sound").addEventListener("click", panel);
  const shown = () => {
    const hears = loudness() > 0 || tongue() !== "";
    $("#sound").replaceChildren(icon(hears ? "sound" : "mute"));
    const place = $('[data-show="sound"]');
    if (place) place.textContent = t(hears ? "menu_sound_on" : "menu_sound_off");
  };
  on("sound", shown);
  shown();
  if (chosen() || window !== window.top) return; // of several tables side by side none asks
  if (localStorage.getItem("coach")) offer();
  else on("coached", offer); // one thing at a time
}

/** Once, on the first visit; silence is no. It stands in the place of the roads, over nothing that one bets on. */
function offer() {
  const end = () => {
    clearTimeout(gone);
    box.remove();
    if (!chosen()) setLoudness(0);
  };
  const gone = setTimeout(end, OFFER_MS);
  const choose = (share) => () => {
    setLoudness(share);
    if (share) sound("chip");
    end();
  };
  const more = () => {
    end();
    panel();
  };
  const box = html(
    "div",
    { class: "sound-offer", role: "status" },
    html("span", {}, t("sound_offer")),
    button("", choose(FIRST), {}, t("sound_yes")),
    button("quiet choose", more, {}, t("sound_more")),
    button("quiet", choose(0), { "aria-label": t("sound_no") }, icon("close")),
  );
  $(".dock").append(box);
}

function panel() {
  const dialog = html("dialog", { class: "listening", "aria-labelledby": "listening-title" });
  const close = () => dialog.close();
  dialog.append(html("header", {}, html("h2", { id: "listening-title" }, t("sound")), closing(close)), sounds(), voice());
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
}

/** A row: what it is, and how loud; nothing is off. */
function row(name, label, share, set) {
  const range = html("input", { type: "range", min: 0, max: 100, step: 5, value: Math.round(share * 100), id: name });
  range.addEventListener("change", () => set(Number(range.value) / 100));
  return html("p", {}, html("label", { for: name }, label), range);
}

function sounds() {
  const set = (share) => {
    setLoudness(share);
    sound("pay");
  };
  return row("sounds-loud", t("sound_table"), loudness(), set);
}

function voice() {
  const place = html("div");
  const draw = () => {
    const found = tongues();
    if (!found.length) {
      place.replaceChildren(html("p", { class: "muted" }, t("voice_none")));
      return;
    }
    const choices = ["", ...found].map((name) => html("option", { value: name, selected: name === tongue() }, t(`voice_${name || "off"}`)));
    const select = html("select", { id: "voice-tongue" }, choices);
    const [said, beside] = sentence(TRIAL);
    const speak = () => call([{ key: TRIAL, sentence: said, beside }]);
    select.addEventListener("change", () => {
      setTongue(select.value);
      speak();
    });
    const set = (share) => {
      setVoiceLoudness(share);
      speak();
    };
    place.replaceChildren(
      html("p", {}, html("label", { for: "voice-tongue" }, t("voice")), select),
      row("voice-loud", t("voice_loud"), voiceLoudness(), set),
    );
  };
  onVoices(draw);
  return place;
}
