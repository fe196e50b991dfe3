/** The place behind the text that begins here: behind the first quotation mark with an even number of backslashes before it. */
export function endOfText(json: string, start: number): number {
  for (let quote = json.indexOf('"', start + 1); ; quote = json.indexOf('"', quote + 1)) {
    let before = quote
    while (json[before - 1] === '\\') before -= 1
    if ((quote - before) % 2 === 0) return quote + 1
  }
}

/** Whether the text that ends here is a name in an object. */
export function isName(json: string, end: number): boolean {
  let next = end
  while (' \t\n\r'.includes(json.charAt(next)) && next < json.length) next += 1
  return json[next] === ':'
}
