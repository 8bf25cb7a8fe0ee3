//! What people build and use.

use super::Drawn;

pub(super) const CASTLE: Drawn = Drawn {
    path: "M-50 47V-25h8v9h6v-9h8v9h6v-9h5V-5h2V-47h7v9h5v-9H3v9H8v-9h7V-5h2V-25h5v9h6v-9h8v9h6v-9h8V47H12V26A12 12 0 0 0 -12 26V47ZM-3-13H3V-27H-3ZM29 11h6V-5H29ZM-29-5h-6V11h6Z",
    w: 50.0,
    h: 47.0,
    corner: 0.1,
};
pub(super) const TOWER: Drawn = Drawn {
    path: "M-31-48h13v11H-7V-48H7v11H18V-48H31v26l-8 9V34h8V48H10V26A10 10 0 0 0 -10 26V48H-31V34h8V-13l-8-9ZM-3.5 2h7V-18h-7Z",
    w: 31.0,
    h: 48.0,
    corner: 0.1,
};
pub(super) const KEY: Drawn = Drawn {
    path: "M-4-50A19 19 0 0 1 2-14V50H-10V-14A19 19 0 0 1 -4-50ZM0 12H21V22H12v8h9V42H0ZM-4-41A9 9 0 1 0 -4-23A9 9 0 1 0 -4-41Z",
    w: 21.0,
    h: 50.0,
    corner: 0.1,
};
pub(super) const SWORD: Drawn = Drawn {
    path: "M0-51L7-40V17H26V27H7v8A10 9 0 1 1 -7 35V27H-26V17H-7V-40Z",
    w: 26.0,
    h: 51.0,
    corner: 0.4,
};
pub(super) const AXE: Drawn = Drawn {
    path: "M8-50H18v18H28l4 10L18-14V50H8V-10C-2-8-14-1-24 6-34-8-34-32-24-46-14-39-2-32 8-30Z",
    w: 32.0,
    h: 50.0,
    corner: 0.4,
};
pub(super) const BOW: Drawn = Drawn {
    path: "M16-43C-7-34-25-18-25 0c0 18 18 34 41 43l-3 7C-13 42-35 22-35 0c0-22 22-42 48-50ZM15-50L51 0 15 50 9 47 43 0 9-47ZM-51 0l14-11v7H47V4H-37v7Z",
    w: 51.0,
    h: 50.0,
    corner: 0.4,
};
pub(super) const SHIP: Drawn = Drawn {
    path: "M-50 10h12V20H38V10H50C49 32 38 46 22 48H-22c-16-2-27-16-28-38ZM-4-48H4V22H-4ZM-36-38H36C30-25 30-7 36 8c-24 6-48 6-72 0 6-15 6-33 0-46Z",
    w: 50.0,
    h: 48.0,
    corner: 0.4,
};
pub(super) const CUP: Drawn = Drawn {
    path: "M-31-46H31C31-22 21-6 6-2V4A9 9 0 0 1 6 19v7c13 3 21 9 22 20H-28c1-11 9-17 22-20V19A9 9 0 0 1 -6 4V-2C-21-6-31-22-31-46Z",
    w: 31.0,
    h: 46.0,
    corner: 0.1,
};
pub(super) const LAMP: Drawn = Drawn {
    path: "M-29-28H29L14-7c28 7 28 41-1 47l8 12H-21l8-12C-42 34-42 0-14-7ZM0-51c9 8 9 15 0 17-9-2-9-9 0-17ZM-22 19H22V12H-22Z",
    w: 35.0,
    h: 52.0,
    corner: 0.1,
};
pub(super) const POLO_STICK: Drawn = Drawn {
    path: "M-22-50h12V28c0 7 5 8 10 6l15-7 6 12L4 48c-15 6-26-1-26-15Z",
    w: 22.0,
    h: 50.0,
    corner: 0.4,
};
pub(super) const FIRESTEEL: Drawn = Drawn {
    path: "M32-44c12 4 16 20 6 26-8 5-18-2-14-10l10 1c-2-6-8-7-14-7C-4-36-24-22-25-6H12V6H-25c1 16 21 30 45 28 6 0 12-1 14-7L24 28c-4-8 6-15 14-10 10 6 6 22-6 26C-10 56-44 32-44 0c0-32 34-56 76-44Z",
    w: 44.0,
    h: 47.0,
    corner: 0.4,
};
pub(super) const INSCRIPTION_BAND: Drawn = Drawn {
    path: "M-62 17H62V27H-62ZM-59-21l8-6V21h-8ZM-46-21l8-6V21h-8ZM-16-21l8-6V21h-8ZM8-21l8-6V21H8ZM39-21l8-6V21H39ZM52-21l8-6V21H52ZM-4-1H4V19H-4ZM18-1h8V19H18ZM-34-9h16V21H-34ZM26-9h9V21H26ZM-29 9h6V-2h-6Z",
    w: 62.0,
    h: 27.0,
    corner: 0.4,
};
