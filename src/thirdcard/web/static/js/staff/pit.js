// The pit: every table is watched and rung for; the page shows all of them, or one with what is to be decided there.

import { $ } from "../dom.js";
import "./aside.js";
import { watchBell } from "./pit-bell.js";
import { watchPit } from "./pit-watch.js";

await import($("#table") ? "./pit-table.js" : "./pit-overview.js");
watchBell();
watchPit();
