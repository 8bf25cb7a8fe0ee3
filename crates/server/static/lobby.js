// The lobby needs no script to work; this only remembers the theme.
import "./common.js";
