import type { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { isUuid, kinds } from './kinds.ts'

/**
 * Formats of texts in bodies and parameters. A UUID and a time are what PostgreSQL reads as such, no more: the usual
 * formats also take `urn:uuid:…`, the year 0 and a zone of 23 hours, which would then fail in a statement.
 */
export function addOwnFormats(ajv: Ajv2020): void {
  addFormats.default(ajv)
  ajv.addFormat('uuid', isUuid)
  ajv.addFormat('date-time', text => /T.*(Z|[+-]\d\d:\d\d)$/.test(text) && kinds.time.read(text) !== undefined)
}
