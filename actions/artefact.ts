import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromJson } from '../json/from-json.ts'
import { type Labels, wrongLabels } from '../json/labels.ts'

/** Places where a step leaves files to be stored, with their labels. */
export interface ArtefactPlaces {
  readonly artefacts: string
  readonly labelsFile: string
}

/**
 * Moves a file to the step's artefacts, and records its labels at once: files of a body that fails later are stored
 * with theirs.
 *
 * @throws TypeError for an invalid file name or invalid labels
 */
export function storeArtefact(places: ArtefactPlaces, file: string, labels: Labels, name: string): void {
  if (name === '' || name.includes('/') || name === '.' || name === '..')
    throw new TypeError(`artefact("${file}"): "${name}" is no name of a file.`)
  const wrong = wrongLabels(labels)
  if (wrong) throw new TypeError(`artefact("${file}"): ${wrong}.`)
  copyFileSync(file, join(places.artefacts, name))
  const { labelsFile } = places
  const others = existsSync(labelsFile) ? (fromJson(readFileSync(labelsFile, 'utf8')) as Record<string, Labels>) : {}
  if (Object.keys(labels).length > 0 || Object.hasOwn(others, name))
    writeFileSync(labelsFile, JSON.stringify({ ...others, [name]: labels }))
}
