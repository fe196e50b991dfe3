import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { RunnerService } from '../../tests/support/runner-service.ts'

/** Texts that were once mistaken for escapes of JSON, or that no decoder takes. */
const texts = [
  'CORP\\Robert',
  'C:\\Temp\\Build\\new\\users',
  'App\\Tests\\X',
  '\\u12 \\uZZZZ \\U0001 \\x1 \\ud800',
  '%u %zz %E4 100%',
  '&#xffffffff; &nope; &#;',
]

describe('a runner whose steps write whatever they like', () => {
  const service = new RunnerService({
    'actions.ts': `
      import { action } from '@sluice/actions'
      const texts = ${JSON.stringify(texts)}
      action('says', {}, step => {
        for (const text of texts) { step.log.info(text); console.log(text); console.error(text) }
        const asset = step.propertiesOf('asset')
        for (const text of texts) asset[text] = [text]
      })
      action('throws', {}, () => { throw new Error(texts.join('\\n')) })`,
  })
  let runner: ReturnType<RunnerService['supervise']>
  before(async () => {
    await service.listen()
    runner = service.supervise()
  })
  after(async () => {
    runner.stop('the test is over')
    assert.equal(await runner.ended, 0)
    await service.tidy()
  })

  const module = (action: string) => ({
    bodies: [{ action, module: 'actions.ts' }],
    context: { properties: { asset: {} } },
  })

  test('shows lines as they were written', async () => {
    const run = `printf '%s\\n' ${texts.map(text => `'${text}'`).join(' ')} | tee /dev/stderr`
    const { result, text } = await service.finish({ run })
    assert.equal(result.outcome, 'success')
    assert.deepEqual(text.toSorted(), [...texts, ...texts].toSorted())
  })

  test('shows what a program logs, prints and reports as it was written, and the error that it throws', async () => {
    const said = await service.finish(module('says'))
    assert.deepEqual([said.result.outcome, said.result.errorMessage], ['success', null])
    assert.deepEqual(said.text.toSorted(), [...texts, ...texts, ...texts].toSorted())
    const values = said.result.propertiesDiffs['asset'] as { value: unknown }[]
    assert.deepEqual(
      values.map(({ value }) => value),
      texts.map(text => [text]),
    )
    const thrown = await service.finish(module('throws'))
    assert.equal(thrown.result.outcome, 'error')
    assert.ok(thrown.result.errorMessage?.includes(texts.join('\n')), thrown.result.errorMessage ?? '')
  })

  test('keeps artefacts that have such names and labels', async () => {
    const names = texts.map(text => text.replaceAll('/', ' '))
    const labels = Object.fromEntries(names.map(name => [name, { kind: name }]))
    const run = `cd "$SLUICE_ARTEFACTS"; touch ${names.map(name => `'${name}'`).join(' ')}
      cat >"$SLUICE_ARTEFACT_LABELS" <<'END'\n${JSON.stringify(labels)}\nEND`
    const { result, lines } = await service.finish({ run })
    assert.deepEqual([result.outcome, lines], ['success', []])
    assert.deepEqual(result.artefacts.map(({ name }) => name).toSorted(), names.toSorted())
  })

  test('takes random bytes on both outputs, while steps beside that go on', async () => {
    const beside = service.run({ run: 'until [ -e noise-is-over ]; do sleep 0.02; done; echo still here' })
    for (const to of ['', '>&2']) {
      const run = `head -c 300000 /dev/urandom ${to}; printf '\\nthe end\\n'`
      const { result, text } = await service.finish({ run })
      assert.deepEqual([result.outcome, text.includes('the end')], ['success', true])
    }
    await service.finish({ run: 'touch noise-is-over' })
    assert.equal((await service.result(beside.stepId)).outcome, 'success')
    assert.deepEqual(
      service.lines(beside.stepId).map(([, , message]) => message),
      ['still here'],
    )
  })

  test('fails a step alone that reports what nobody can take', async () => {
    const reports = async (print: string) => {
      const { result } = await service.finish({ run: `${print} >"$SLUICE_STEP_RESULT"` })
      return [result.outcome, result.errorMessage?.slice(0, 80)]
    }
    assert.deepEqual(
      await reports(`printf '{"outputs": {"a": %s1%s}}' $(printf '[%.0s' {1..90000}) $(printf ']%.0s' {1..90000})`),
      ['error', 'step_result.json is malformed: it is nested deeper than 200 levels'],
    )
    assert.deepEqual(await reports('head -c 100000 /dev/urandom'), ['error', 'step_result.json is not UTF-8'])
    assert.equal((await reports(`printf '{"outputs": {"a": "\\\\ud800"}}'`))[0], 'error')
    assert.deepEqual(await reports(`printf '{"outputs": {"CORP\\\\\\\\Robert": "\\\\\\\\R"}}'`), ['success', undefined])
  })
})
