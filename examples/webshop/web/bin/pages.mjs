import { writeIntoRelease } from './step.mjs'

const { SHOP, GREETING, COLOUR } = process.env
const escaped = text =>
  text.replaceAll(/[&<>"']/g, sign => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[sign])

writeIntoRelease(
  'index.html',
  `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${escaped(SHOP)}</title>
<body style="font-family: sans-serif; border-top: 1em solid ${escaped(COLOUR)}">
<h1>${escaped(SHOP)}</h1>
<p>${escaped(GREETING)}</p>
<p><a href="/price-list.json">Price list</a></p>
`,
)
