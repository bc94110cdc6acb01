import"./reactive-element.js";import"./html/lit-html.js";export*from"./lit-element.js";export*from"./html/is-server.js";
