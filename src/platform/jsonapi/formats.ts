import type { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { isUuid, kinds } from './kinds.ts'

/**
 * Formats of texts in bodies and parameters: UUIDs and times that PostgreSQL accepts. The usual formats also accept
 * `urn:uuid:…`, the year 0 and an offset of 23 hours, which would then fail in a statement.
 */
export function addOwnFormats(ajv: Ajv2020): void {
  addFormats.default(ajv)
  ajv.addFormat('uuid', isUuid)
  ajv.addFormat('date-time', text => /T.*(Z|[+-]\d\d:\d\d)$/.test(text) && kinds.time.read(text) !== undefined)
}
