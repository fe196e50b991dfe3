import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The asset's converged properties, as this step was given them. */
export const properties = () => JSON.parse(readFileSync(process.env.SLUICE_STEP_CONTEXT, 'utf8')).converged

/** Sets a top-level property of the asset when the step ends; steps after this one see it. */
export function setProperty(name, value) {
  const result = { properties_diffs: { asset: [{ op: 'add', path: `/${name}`, value }] } }
  writeFileSync(process.env.SLUICE_STEP_RESULT, JSON.stringify(result))
}

/** Folder of this shop and stage: `bin/home` decides. */
export const homeFolder = () =>
  execFileSync(fileURLToPath(new URL('home', import.meta.url)), { encoding: 'utf8' }).trim()

export function writeIntoRelease(name, text) {
  writeFileSync(join(process.env.FOLDER, name), text)
  console.log(`Wrote ${name} (${text.length} characters)`)
}
