import { writeFileSync } from 'node:fs'
import { action, type JsonObject } from '@sluice/actions'

/** Declared while this file is loaded, run as a step of its own; `actions.yaml` names it. */
action('publish', { description: 'Write the report', timeoutSeconds: 60 }, async step => {
  const { measured } = step.properties['text'] as { measured: Measured }
  writeFileSync('report.json', `${JSON.stringify(measured, null, 2)}\n`)
  const { stdout } = await step.exec('sha256sum', ['report.json'])
  const [sha256 = ''] = stdout.split(' ')

  const asset = step.propertiesOf('asset')
  const text = asset['text'] as JsonObject
  text['report'] = { sha256, words: measured.words }
  step.artefact('report.json')
  step.log.info('published %s', sha256.slice(0, 12))
})

interface Measured {
  lines: number
  words: number
  longest: string[]
  density: number
}
