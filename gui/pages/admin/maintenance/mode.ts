import type { Info } from '../../../shell/maintenance.ts'

/** Values of the setting `maintenance_mode`. */
export type Mode = 'disabled' | 'enabled' | 'superuser_override'

export const modes: readonly Mode[] = ['disabled', 'enabled', 'superuser_override']

/** Mode in force. */
export const modeOf = (info: Info): Mode =>
  info.maintenance_mode ? (info.maintenance_mode_exempts_superusers ? 'superuser_override' : 'enabled') : 'disabled'

/** Texts of the warnings that a response carries, such as that the environment overrides the setting. */
export function warningsIn(meta: Readonly<Record<string, unknown>> | undefined): string[] {
  const warnings = meta?.['warnings']
  return Array.isArray(warnings) ? warnings.map(({ detail }: { detail: string }) => detail) : []
}
