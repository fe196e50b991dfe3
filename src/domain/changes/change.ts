/** Values and rules of changes: no database, no clock. */

/** Path of the rights to run, cancel and retry an action. */
export const actionPath = (nodePath: string, action: string): string => `${nodePath}/actions/${action}`

/** Name by which changes queue: target and action. */
export const nameOf = (nodePath: string, action: string): string => `change ${nodePath} ${action}`

export const sealedDocuments = ['property_overrides', 'settings_overrides', 'resolved_settings', 'notify'] as const
export type SealedDocument = (typeof sealedDocuments)[number]

/** Associated data of an encrypted document of a change, so that it cannot pass for another's. */
export const documentAad = (id: string, which: SealedDocument): string => `changes:${id}:${which}`
