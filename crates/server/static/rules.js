import { $, rules } from "./common.js";
rules($("#ui-main").dataset.game);
