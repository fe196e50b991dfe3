import { fromJson } from '#json/from-json.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import { inputAad } from './store/associated-data.ts'

/** Argument that an input step asks for, as its author wrote it; the engine does not look inside. */
export type RequestedArgument = Readonly<Record<string, unknown>>

/** Decrypts the arguments of a step; empty for a step that asks for nothing. */
export const openArguments = (
  keyring: Pick<Keyring, 'openText'>,
  { id, input_arguments }: { readonly id: string; readonly input_arguments: Buffer | null },
): readonly RequestedArgument[] =>
  input_arguments === null ? [] : fromJson(keyring.openText(input_arguments, inputAad(id)))
