import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { faultText } from '#authoring/files/file-fault.ts'
import { isDataFile, readDataFile, readDataFiles, readEach } from './data-file.ts'

const read = (file: string, text: string | Uint8Array) => {
  const answer = readDataFile(file, typeof text === 'string' ? Buffer.from(text) : text)
  return 'content' in answer ? JSON.stringify(answer.content) : answer.faults.map(faultText)
}

test('JSON, YAML and TOML say the same', () => {
  const same = '{"web":{"port":8080,"open":true,"names":["a","b"],"ratio":0.5}}'
  assert.equal(read('a.json', same), same)
  assert.equal(read('a.yaml', 'web:\n  port: 8080\n  open: true\n  names: [a, b]\n  ratio: 0.5\n'), same)
  assert.equal(read('a.toml', '[web]\nport = 8080\nopen = true\nnames = ["a", "b"]\nratio = 0.5\n'), same)
})

test('keys keep the order in which they are written, and __proto__ is a key', () => {
  const odd = '{"b":1,"a":2,"__proto__":{"x":1},"constructor":3}'
  assert.equal(read('a.json', odd), odd)
  assert.equal(read('a.yaml', 'b: 1\na: 2\n__proto__: {x: 1}\nconstructor: 3'), odd)
  assert.equal(read('a.toml', 'b = 1\na = 2\n__proto__ = {x = 1}\nconstructor = 3'), odd)
})

test('a fault names file, line and column', () => {
  assert.deepEqual(read('p/a.json', '{\n  "a": 1,\n  "b": tru\n}'), ['p/a.json:3:8: A value is missing here.'])
  assert.deepEqual(read('a.json', '{"a": 1,}'), ['a.json:1:9: A key in double quotes is missing here.'])
  assert.deepEqual(read('a.json', '{"a": 1 "b": 2}'), ['a.json:1:9: A comma or "}" is missing here.'])
  assert.deepEqual(read('a.json', '{"a": 1, "a": 2}'), ['a.json:1:10: The key "a" occurs twice.'])
  assert.deepEqual(read('a.yaml', 'a: 1\na: 2\n'), ['a.yaml:2:1: Map keys must be unique'])
  assert.deepEqual(read('a.yaml', 'a: "x'), ['a.yaml:1:6: Missing closing "quote'])
  assert.match(read('a.toml', 'a = 1\nb = \n')[0]!, /^a\.toml:2:5: /)
})

test('what JSON cannot carry unchanged is refused with its place', () => {
  assert.match(read('a.json', '{"a": 9007199254740993}')[0]!, /^a\.json:1:7: .*write it as a string/)
  assert.match(read('a.yaml', 'a: 1\nb: 12345678901234567890')[0]!, /^a\.yaml:2:4: .*write it as a string/)
  assert.match(read('a.yaml', 'a: .inf')[0]!, /^a\.yaml:1:4: JSON has no such number: write "\.inf" as a string/)
  assert.match(read('a.toml', 'a = 9007199254740993')[0]!, /^a\.toml:1:5: /)
  assert.match(read('a.json', '{"a": "\\u0000"}')[0]!, /U\+0000/)
  for (const file of ['a.json', 'a.yaml'])
    for (const half of ['{"a": "\\ud83d"}', '{"a\\ud83d": 1}', '{"a": ["\\udd11\\ud83d"]}'])
      assert.match(read(file, half)[0]!, /^a\.(?:json|yaml):1:\d+: Half of a surrogate pair is no character\.$/, half)
  assert.equal(read('a.json', '{"a": "\\ud83d\\udd11"}'), read('a.json', '{"a": "\u{1f511}"}'))
  assert.equal(read('a.yaml', '{"a": "\\U0001f511"}'), read('a.json', '{"a": "\u{1f511}"}'))
})

test('whatever is no object is refused', () => {
  for (const [file, text] of [
    ['a.json', '[1]'],
    ['a.yaml', '- 1'],
    ['a.yaml', 'just text'],
    ['a.yaml', '---\na: 1\n---\nb: 2'],
  ] as const)
    assert.ok(Array.isArray(read(file, text)), text)
  assert.equal(read('a.yaml', '# nothing but a comment\n'), '{}')
  assert.deepEqual(read('a.yaml', Buffer.from([0x61, 0x3a, 0xff])), [
    'a.yaml:1:3: The file is not UTF-8: save it as UTF-8.',
  ])
})

test('tags, endless aliases and deep nesting are refused', () => {
  assert.match(read('a.yaml', 'a: !ruby/object x')[0]!, /^a\.yaml:1:4: Unresolved tag/)
  assert.match(read('a.yaml', 'a: *x')[0]!, /^a\.yaml:1:4: .*"x"/)
  assert.match(read('a.yaml', 'a: &x\n  b: *x')[0]!, /^a\.yaml:2:6: "x" holds itself/)
  const laughs = ['a0: &a0 [1,1,1,1,1,1,1,1,1,1]']
  for (let i = 1; i < 9; i++)
    laughs.push(
      `a${i}: &a${i} [${Array(10)
        .fill(`*a${i - 1}`)
        .join(', ')}]`,
    )
  assert.match(read('a.yaml', laughs.join('\n'))[0]!, /More than 200000 values/)
  assert.ok(Array.isArray(read('a.json', `{"a":${'['.repeat(70)}${']'.repeat(70)}}`)))
  assert.ok(Array.isArray(read('a.yaml', `a: ${'['.repeat(70)}${']'.repeat(70)}`)))
})

test('a file that says nothing is an object without keys', () => {
  const nothing = ['', '  \n\n', '\ufeff']
  for (const text of [
    ...nothing,
    '---',
    '---\n',
    '---\n# vars\n',
    '# a\n# b',
    '~',
    'null',
    'Null',
    '--- ~\n...\n',
    '%YAML 1.2\n---\n',
  ])
    for (const file of ['a.yaml', 'a.yml', 'a.YAML'])
      assert.equal(read(file, text), '{}', `${file} ${JSON.stringify(text)}`)
  for (const text of [...nothing, 'null', ' null\n']) assert.equal(read('a.json', text), '{}', JSON.stringify(text))
  for (const text of [...nothing, '# a\n', '\r\n']) assert.equal(read('a.toml', text), '{}', JSON.stringify(text))
  for (const [file, text] of [
    ['a.yaml', '--- []'],
    ['a.yaml', 'false'],
    ['a.yaml', '""'],
    ['a.yaml', '0'],
    ['a.json', '""'],
    ['a.json', 'false'],
  ] as const)
    assert.match(read(file, text)[0]!, /must hold an object/, text)
})

test('what is stored in place of a text is named as what it is', () => {
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935\nsize 12345\n'
  const vault = '$ANSIBLE_VAULT;1.1;AES256\n62313365396662343061393464336163\n'
  const utf16 = (text: string) => Buffer.from(text, 'utf16le')
  for (const file of ['a.json', 'a.yaml', 'a.toml']) {
    const expected: [string | Uint8Array, RegExp][] = [
      [pointer, /^a\.\w+:1:1: This is a Git LFS pointer/],
      [vault, /^a\.\w+:1:1: The file is encrypted with Ansible Vault/],
      [Buffer.from('\0GITCRYPT\0\x8a\x01', 'latin1'), /^a\.\w+:1:1: The file is encrypted with git-crypt/],
      [utf16('\ufeffa: 1\n'), /^a\.\w+:1:1: The file is UTF-16: save it as UTF-8/],
      [utf16('\ufeffa: 1\n').swap16(), /^a\.\w+:1:1: The file is UTF-16/],
      [utf16('a: 1\n'), /^a\.\w+:1:1: The file is UTF-16/],
      [utf16('a: 1\n').swap16(), /^a\.\w+:1:1: The file is UTF-16/],
      [Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]), /^a\.\w+:1:1: The file is UTF-32/],
      [Buffer.from('# a\n# é \xfc', 'latin1'), /^a\.\w+:2:3: The file is not UTF-8/],
      ['# a\n# \0', /^a\.\w+:2:3: U\+0000/],
    ]
    for (const [text, words] of expected) assert.match(read(file, text)[0]!, words)
  }
})

test('template text without quotes is named, in its line and column', () => {
  const named = (file: string, text: string) => read(file, text)
  assert.deepEqual(named('a.yaml', 'b: 1\na: {{ x }}\n'), [
    'a.yaml:2:4: "{{ x }}" without quotes is no text: put the whole value in quotes.',
  ])
  for (const text of ['a: {{ x }}/bin', 'a:\n  - {{x}}', 'a: [1, {{ x }}]', 'a: "b"\nc: {d: {{ x }}}', '{{ x }}: 1'])
    assert.match(read('a.yaml', text)[0]!, /^a\.yaml:\d:\d+: "\{\{ ?x ?\}\}" without quotes/, text)
  assert.match(read('a.yaml', '{% if a %}\na: 1\n{% endif %}')[0]!, /^a\.yaml:1:1: "\{% if a %\}" is template text/)
  assert.match(read('a.json', '{"a": {{ x }}}')[0]!, /^a\.json:1:7: "\{\{ x \}\}" without quotes/)
  assert.match(read('a.toml', 'b = 1\na = {{ x }}')[0]!, /^a\.toml:2:5: "\{\{ x \}\}" without quotes/)
  assert.equal(read('a.yaml', 'a: "{{ x }}"\nb: x {{ y }}\n'), '{"a":"{{ x }}","b":"x {{ y }}"}')
  // Other faults of such a line are reported as they are.
  assert.match(read('a.yaml', 'a: "{{ x }}" y')[0]!, /^a\.yaml:1:14: Unexpected/)
})

test('hidden files are no data files, and the case of an ending does not count', () => {
  for (const path of ['a.yaml', 'p/x.YAML', 'x.Json', 'x.TOML', 'x.yMl']) assert.ok(isDataFile(path), path)
  for (const path of ['.a.yaml', 'p/._a.yaml', 'p/.yaml', 'a.yaml.bak', 'a.yaml~', 'yaml', 'a.txt'])
    assert.ok(!isDataFile(path), path)
})

test('an alias stands for what its anchor holds', () => {
  assert.equal(read('a.yaml', 'a: &x [1, 2]\nb: *x'), '{"a":[1,2],"b":[1,2]}')
})

test('an alias stands for the last anchor of its name before it, and for none behind it', () => {
  assert.equal(read('a.yaml', 'a: &x 1\nb: *x\nc: &x 2\nd: *x\n'), '{"a":1,"b":1,"c":2,"d":2}')
  assert.match(read('a.yaml', 'a: {b: &x {c: *x}}\n')[0]!, /"x" holds itself/)
  assert.match(read('a.yaml', 'a: *x\nb: &x 1\n')[0]!, /x/)
})

test('a list may have as many values as a file', () => {
  const many = (count: number) => `a: [${Array.from({ length: count }, () => '1').join(',')}]`
  assert.equal((read('a.yaml', many(150_000)) as string).length, many(150_000).length + 3)
  assert.match(read('a.yaml', many(200_001))[0]!, /More than 200000 values/)
})

test('every JSON document is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.boolean(), (value, indent) => {
      const text = JSON.stringify({ value }, null, indent ? 2 : undefined)
      const numbers = text.match(/(?<![\w."-])-?\d[\d.eE+-]*/g) ?? []
      fc.pre(
        !text.includes('\\u0000') &&
          numbers.every(each => !Number.isInteger(Number(each)) || Number.isSafeInteger(Number(each))),
      )
      assert.equal(read('a.json', text), JSON.stringify(JSON.parse(text)))
    }),
  )
})

test('whatever bytes a file has, it is read or refused with a place in it', () => {
  const letters = [...'ab01.:=-+e_T\'"[]{},#\\ \n\r\t']
  const words = ['"""', "'''", 'inf', '2023-02-30', '{{', 'a = ', '"a": ', '\ufeff', '\0', '[[a]]\n', '1.5']
  const sign = fc.constantFrom(...letters, ...words)
  const bytes = fc.oneof(
    fc.array(sign, { maxLength: 40 }).map(all => Buffer.from(all.join(''))),
    fc.uint8Array({ maxLength: 60 }),
  )
  fc.assert(
    fc.property(bytes, fc.constantFrom('a.json', 'a.yaml', 'a.toml'), (given, file) => {
      const answer = readDataFile(file, given)
      if ('content' in answer) return
      assert.ok(answer.faults.length > 0)
      for (const { line, column, message } of answer.faults) assert.ok(line > 0 && column > 0 && message !== '')
    }),
    { numRuns: 3_000 },
  )
})

test('large files are read as small ones are, with their odd keys', async () => {
  const lines = Array.from({ length: 5_000 }, (_, at) => `key${at}: { b: 1, a: [x, 1.5, null] }\n`).join('')
  const files = [
    { path: 'a.yaml', bytes: Buffer.from(`${lines}__proto__: { x: 1 }\nconstructor: 2\n`) },
    { path: 'b.yaml', bytes: Buffer.from(`${lines}wrong: {`) },
    { path: 'c.json', bytes: Buffer.from('{"__proto__": 1}') },
  ]
  const read = await readDataFiles(files)
  assert.equal(JSON.stringify(read), JSON.stringify(readEach(files)))
  assert.match(JSON.stringify(read), /"__proto__":\{"x":1\}/)
})
