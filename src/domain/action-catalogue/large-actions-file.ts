import { type ReadActions, readActionsFile, yamlFaults } from '#authoring/actions/actions-file.ts'
import type { FileFault } from '#authoring/files/file-fault.ts'
import { readApart } from '#platform/threads/read-apart.adapter.ts'

/** Module that exports the readers: a thread imports them from there. */
const reader = import.meta.resolve('#authoring/actions/actions-file.ts')

/** {@link readActionsFile}, in a thread when the file is large. */
export async function readLargeActionsFile(file: string, bytes: Uint8Array): Promise<ReadActions> {
  const read = await readApart(bytes.length, readActionsFile, reader, file, bytes)
  return read === 'too-much' ? tooMuch(file) : read
}

/** {@link yamlFaults}, in a thread when the file is large. */
export async function largeYamlFaults(file: string, bytes: Uint8Array): Promise<readonly FileFault[]> {
  const found = await readApart(bytes.length, yamlFaults, reader, file, bytes)
  return found === 'too-much' ? tooMuch(file).faults : found
}

const tooMuch = (file: string) => ({
  faults: [
    { file, line: 1, column: 1, message: 'It takes too much time or memory to read: it holds very many values.' },
  ],
})
