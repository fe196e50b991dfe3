import { pointerOf } from '#platform/jsonapi/json.ts'

/** A secret by its place: `secret:/` and its path, `/`, and its key. */
export interface SecretPlace {
  /** `/projects/bank/database`: begins with the path of the node that it belongs to. */
  readonly path: string
  readonly key: string
}

const form = /^secret:\/\/\/?(projects\/[^/\s]+(?:\/[^/\s]+)*)\/([^/\s]+)$/

/**
 * Parses `secret://projects/bank/database/password`; a third slash is allowed. Undefined for any other text, and if a
 * part of the path is `.` or `..`: a vault is called by a URL, in which that leads out of the node that seems to own
 * the secret.
 */
export function readReference(text: string): SecretPlace | undefined {
  const [, path, key] = form.exec(text) ?? []
  return path !== undefined && key !== undefined && !leadsElsewhere(path) ? { path: `/${path}`, key } : undefined
}

export const leadsElsewhere = (path: string): boolean => path.split('/').some(part => part === '.' || part === '..')

export const referenceOf = ({ path, key }: SecretPlace): string => `secret:/${path}/${key}`

/** Whether a text is meant as a reference, valid or not: no such text is a value. */
export const looksLikeReference = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith('secret://')

const nodeForm = /^\/projects\/[^/]+(?:\/environments\/[^/]+)?(?:\/(?:assets|agents)\/[^/]+)?/

/** The node that owns the secret: the longest node path at the beginning of its path. */
export const ownerOf = (path: string): string | undefined => nodeForm.exec(path)?.[0]

/** A node uses its own secrets and those of the nodes above it, never those beside or below it. */
export function mayUse(nodePath: string, place: SecretPlace): boolean {
  const owner = ownerOf(place.path)
  return owner !== undefined && (nodePath === owner || nodePath.startsWith(`${owner}/`))
}

export interface WrongReference {
  /** RFC 6901, within the document. */
  pointer: string
  why: string
}

/** Every reference of a document that is invalid or that this node may not use, for refusing it when it is saved. */
export function wrongReferences(document: unknown, nodePath: string, at = ''): WrongReference[] {
  const wrong: WrongReference[] = []
  const path: string[] = []
  const look = (value: unknown): void => {
    if (looksLikeReference(value)) {
      const why = whyWrong(value, nodePath)
      if (why !== undefined) wrong.push({ pointer: `${at}${pointerOf(path)}`, why })
    } else if (typeof value === 'object' && value !== null) {
      for (const key of Object.keys(value)) {
        path.push(key)
        look((value as Record<string, unknown>)[key])
        path.pop()
      }
    }
  }
  look(document)
  return wrong
}

function whyWrong(reference: string, nodePath: string): string | undefined {
  const place = readReference(reference)
  if (!place) return 'A reference is written secret://<path of a node>/…/<key>.'
  return mayUse(nodePath, place) ? undefined : `${nodePath} uses its own secrets and those of nodes above it.`
}
