// The few icons of the page: 20 × 20, strokes in the colour of the text around them.

import { svg, html } from "/ui/vendor/lit/index.js";

const icon = (paths) =>
  html`<svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">${paths}</svg>`;

export const search = icon(svg`<circle cx="9" cy="9" r="5.25"/><path d="m13 13 4 4"/>`);
export const menu = icon(svg`<path d="M4 6.5h12M4 10h12M4 13.5h12"/>`);
export const sun = icon(svg`<circle cx="10" cy="10" r="3.25"/><path d="M10 2.5v2M10 15.5v2M2.5 10h2M15.5 10h2M4.7 4.7l1.4 1.4M13.9 13.9l1.4 1.4M15.3 4.7l-1.4 1.4M6.1 13.9l-1.4 1.4"/>`);
export const moon = icon(svg`<path d="M16.2 11.9A6.75 6.75 0 1 1 8.1 3.8a5.5 5.5 0 0 0 8.1 8.1Z"/>`);
export const keys = icon(svg`<path d="M7.4 7.5a2.6 2.6 0 1 1 3.8 2.3c-.8.45-1.2 1-1.2 1.9v.3"/><path d="M10 14.9v.1"/>`);
export const attach = icon(svg`<path d="M10 4.5v11M4.5 10h11"/>`);
export const send = icon(svg`<path d="M10 16V4.5M5.2 9.2 10 4.4l4.8 4.8"/>`);
export const close = icon(svg`<path d="m5 5 10 10M15 5 5 15"/>`);
export const back = icon(svg`<path d="M12 4.5 6.5 10l5.5 5.5"/>`);
export const check = icon(svg`<path d="m4.5 10.5 3.7 3.7 7.3-8"/>`);
export const dot = icon(svg`<circle cx="10" cy="10" r="2.5"/>`);
export const aside = icon(svg`<path d="M5 10h10"/>`);
export const warning = icon(svg`<path d="M10 6v5M10 14v.1"/><circle cx="10" cy="10" r="7.25"/>`);
export const undo = icon(svg`<path d="M4.5 8h7.25a3.75 3.75 0 0 1 0 7.5H8M4.5 8l3.25-3.25M4.5 8l3.25 3.25"/>`);
export const up = icon(svg`<path d="M7 9v7H4V9zM7 9l3.2-5.5c1.3 0 2 .9 1.8 2.1L11.5 8H15c1 0 1.7.9 1.4 1.9l-1.3 4.8c-.2.8-.8 1.3-1.6 1.3H7"/>`);
export const down = icon(svg`<path d="M13 11V4h3v7zM13 11l-3.2 5.5c-1.3 0-2-.9-1.8-2.1l.5-2.4H5c-1 0-1.7-.9-1.4-1.9l1.3-4.8C5.1 4.5 5.7 4 6.5 4H13"/>`);
export const mic = icon(svg`<rect x="7.5" y="3" width="5" height="8.5" rx="2.5"/><path d="M4.75 9.5a5.25 5.25 0 0 0 10.5 0M10 14.75V17"/>`);
