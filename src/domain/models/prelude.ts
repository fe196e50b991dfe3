import { renderLimits } from './rendering.ts'

/**
 * Functions that templates may call. It keeps references to all built-ins that it uses itself, so that a template which
 * changes the language affects only its own text.
 */
export const prelude = `
(() => {
  const { parse, stringify } = JSON
  const { join, map } = Array.prototype
  const { slice, includes } = String.prototype
  const { exec } = RegExp.prototype
  const { apply } = Reflect
  const String_ = String
  const SyntaxError_ = SyntaxError
  const log = globalThis.$log
  delete globalThis.$log
  const out = []
  let length = 0
  const most = ${renderLimits.result}
  const write = text => {
    length += text.length
    if (length > most) throw new RangeError('The model comes to more than ' + most + ' characters.')
    out[out.length] = text
  }
  const json = value => {
    if (typeof value === 'number' && !(value - value === 0)) throw new TypeError('The value is no number that JSON has.')
    if (typeof value === 'bigint') throw new TypeError('The value is a bigint, which JSON does not have.')
    const text = stringify(value)
    if (text === undefined) throw new TypeError('The value is ' + typeof value + ', which JSON does not have.')
    return text
  }
  globalThis.$text = write
  globalThis.$json = value => write(typeof value === 'string' ? apply(slice, json(value), [1, -1]) : json(value))
  globalThis.$raw = value => write(typeof value === 'string' ? value : json(value))
  // Messages about an unreadable text go into events, and texts are made of properties: only the place is reported.
  JSON.parse = (text, reviver) => {
    const given = \`\${text}\`
    let value
    try {
      value = parse(given)
    } catch (error) {
      if (!(error instanceof SyntaxError_)) throw error
      const place = apply(exec, /<input>:(\\d+):(\\d+)/, [String_(error.stack)])
      throw new SyntaxError_('The text is not JSON' + (place ? ': it breaks off at its line ' + place[1] + ', column ' + place[2] : '') + '.')
    }
    return typeof reviver === 'function' ? parse(given, reviver) : value
  }
  const words = values => apply(join, apply(map, values, [each => typeof each === 'string' ? each : stringify(each) ?? String_(each)]), [' '])
  globalThis.console = {}
  for (const [name, category] of [['debug', 'debug'], ['log', 'info'], ['info', 'info'], ['warn', 'warn'], ['error', 'error']])
    globalThis.console[name] = (...values) => log(category, apply(slice, words(values), [0, ${renderLimits.logCharacters}]))
  return {
    start: (properties, context) => {
      globalThis.properties = parse(properties)
      globalThis.context = parse(context)
    },
    finish: () => {
      const text = apply(join, out, [''])
      // A text ends at its first U+0000 when it is taken over.
      if (apply(includes, text, ['\\0'])) throw new TypeError('The rendered text holds U+0000.')
      return text
    },
    breaksOff: text => {
      try {
        parse(text)
        return ''
      } catch (error) {
        return String_(error.stack)
      }
    },
    describe: error => {
      if (typeof error !== 'object' || error === null) return 'It threw ' + typeof error + ': ' + apply(slice, String_(error), [0, 2000])
      const name = String_(error.name), message = String_(error.message), stack = String_(error.stack)
      return apply(slice, name + ': ' + message, [0, 2000]) + '\\u0001' + apply(slice, stack, [0, 8000])
    },
  }
})()
`
