import { fromJson } from '#json/from-json.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import { inputAad } from './store/step-tree.store.ts'

/** What an input step asks for, as its author wrote it; the engine looks at nothing in it. */
export type AskedArgument = Readonly<Record<string, unknown>>

/** None, of a step that asks for nothing. */
export const openArguments = (
  keyring: Pick<Keyring, 'openText'>,
  { id, input_arguments }: { readonly id: string; readonly input_arguments: Buffer | null },
): readonly AskedArgument[] =>
  input_arguments === null ? [] : fromJson(keyring.openText(input_arguments, inputAad(id)))
