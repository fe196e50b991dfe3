import { Refused, Unreachable } from '#client/sluice.ts'
import { general } from '../../messages/general.ts'

/** Faults of a refused request, divided into those of single attributes and the rest. */
export interface FieldFaults {
  /** Text for each attribute that was refused. */
  readonly fields: Readonly<Record<string, string>>
  /** What concerns no field of the form; undefined if every fault has its field. */
  readonly other: string | undefined
}

/**
 * Divides the faults of an error among the fields of a form.
 *
 * @param names attributes that the form has a field for, or places in them: `authorisation_rules/0/path`
 */
export function fieldFaults(error: unknown, names: readonly string[]): FieldFaults {
  if (!error) return { fields: {}, other: undefined }
  if (error instanceof Unreachable) return { fields: {}, other: general.unreachable }
  if (!(error instanceof Refused)) return { fields: {}, other: (error as Error).message }
  const fields: Record<string, string> = {}
  const others: string[] = []
  for (const { source, detail, title, code, id } of error.faults) {
    const place = /^\/data\/attributes\/(.+)/.exec(source?.pointer ?? '')?.[1]
    const name = names.find(each => place === each || place?.startsWith(`${each}/`))
    const text = detail ?? title ?? code ?? ''
    if (name !== undefined) fields[name] = [fields[name], text].filter(Boolean).join(' ')
    // The id finds a failure of the service in its log.
    else others.push(error.status >= 500 && id ? `${text} (${general.errorId(id)})` : text)
  }
  if (error.faults.length === 0) others.push(error.message)
  return { fields, other: others.length > 0 ? others.join(' ') : undefined }
}
