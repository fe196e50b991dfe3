import type { JsonData, ReadOverrides } from './read-overrides.ts'

/** Reads property overrides. Only texts load the code for YAML; most runs have none. */
export async function readOverrides(text: string): Promise<ReadOverrides> {
  if (text.trim() === '') return { data: {} }
  const { readOverridesText } = await import('./read-overrides.ts')
  return readOverridesText(text)
}

/** Overrides as the field shows them: JSON is YAML as well. */
export const overridesText = (data: JsonData): string =>
  Object.keys(data).length === 0 ? '' : JSON.stringify(data, undefined, 2)
