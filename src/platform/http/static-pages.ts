import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { acceptedEncodings, type Encoding } from './compression.ts'

/** Static pages of the web application: read into memory once, and served by their path. */

/** Contents of a file in one content encoding. */
interface Representation {
  readonly encoding: Encoding | undefined
  readonly body: Buffer
  readonly etag: string
}

interface StaticFile {
  readonly type: string
  readonly cacheControl: string
  /** Representations in order of preference; the last one has no encoding. */
  readonly representations: readonly Representation[]
}

/** Files by their URL path, `/index.html` among them. */
export interface StaticPages {
  readonly files: ReadonlyMap<string, StaticFile>
  /** Whether paths without a file are routes of the application, for which `/index.html` is returned. */
  readonly hasRoutes: boolean
}

export interface PageRequest {
  readonly method: string
  /** Path as sent, without the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

export interface PageResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Absent for HEAD and 304. */
  readonly body?: Buffer
}

/**
 * Policy of the application's pages: its own scripts and styles, no inline code, no other hosts. API responses keep the
 * stricter policy of `security-headers.ts`.
 */
const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': ['accelerometer', 'camera', 'display-capture', 'geolocation', 'gyroscope', 'magnetometer']
    .concat(['microphone', 'midi', 'payment', 'usb'])
    .map(feature => `${feature}=()`)
    .join(', '),
} as const

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.gif': 'image/gif',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

/** A content hash before the extension, as bundlers write it: `index-B1nd7aQx.js`. */
const hashedName = /[-.][\w-]{8,}\.\w+$/

/** Suffixes of precompressed files, in order of preference. */
const encodings = { '.br': 'br', '.gz': 'gzip' } as const

/**
 * Reads the built pages of a folder, with the precompressed `.br` and `.gz` files beside them.
 *
 * @returns undefined if the folder has no `index.html`, as in a checkout where the pages were not built
 */
export function readPages(folder: string): StaticPages | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && !entry.name.startsWith('.'))
    .map(entry => join(entry.parentPath, entry.name).slice(folder.length))
  const known = new Set(names)
  const originals = names.filter(
    name => !(extname(name) in encodings) || !known.has(name.slice(0, -extname(name).length)),
  )
  return { files: new Map(originals.map(name => [name, readFile(folder, name, known)])), hasRoutes: true }
}

function readFile(folder: string, name: string, known: ReadonlySet<string>): StaticFile {
  const compressed = Object.entries(encodings).flatMap(([suffix, encoding]) =>
    known.has(name + suffix) ? [representation(readFileSync(join(folder, name + suffix)), encoding)] : [],
  )
  return {
    type: contentTypes[extname(name)] ?? 'application/octet-stream',
    cacheControl: hashedName.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
    representations: [...compressed, representation(readFileSync(join(folder, name)), undefined)],
  }
}

/** The ETag is a hash of the content, so that all processes and hosts of an installation agree on it. */
const representation = (body: Buffer, encoding: Representation['encoding']): Representation => ({
  encoding,
  body,
  etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
})

/** The page at `/` if no pages were built. */
export const placeholderPages: StaticPages = {
  files: new Map([
    [
      '/index.html',
      {
        type: 'text/html; charset=utf-8',
        cacheControl: 'no-cache',
        representations: [
          representation(
            Buffer.from(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Sluice</title>
<h1>Sluice</h1>
<p>The service is running. <a href="/api-docs">API documentation</a></p>
</html>
`),
            undefined,
          ),
        ],
      },
    ],
  ]),
  hasRoutes: false,
}

/**
 * Answers a request from the pages.
 *
 * @param isReserved whether the first segment of a path belongs to the API or another route of the service
 * @returns undefined if there is no page, so that the caller answers 404 as for any unknown path
 */
export function pageFor(
  pages: StaticPages,
  { method, path, headers }: PageRequest,
  isReserved: (segment: string) => boolean,
): PageResponse | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  const file = fileAt(pages, path, String(headers['accept'] ?? ''), isReserved)
  if (!file) return undefined
  const chosen = negotiated(file, headers['accept-encoding'])
  const answer = conditional(file, chosen, headers)
  if (method === 'GET') return answer
  const { body, ...head } = answer
  return { ...head, headers: { ...head.headers, ...(body && { 'content-length': String(body.length) }) } }
}

function fileAt(
  { files, hasRoutes }: StaticPages,
  path: string,
  accept: string,
  isReserved: (segment: string) => boolean,
): StaticFile | undefined {
  // Files are looked up by the path as it was sent: nothing is decoded or normalized, so no path leads elsewhere.
  const file = path === '/' ? undefined : files.get(path)
  if (file) return file
  const index = files.get('/index.html')
  if (path === '/') return index
  return hasRoutes && /\btext\/html\b/i.test(accept) && isRoute(path, isReserved) ? index : undefined
}

/** Whether a path may be a route of the application. A missing asset is none: its page would be parsed as a script. */
function isRoute(path: string, isReserved: (segment: string) => boolean): boolean {
  const segments = decoded(path)?.split('/').slice(1)
  if (!segments || segments.some(segment => /^\.{0,2}$/.test(segment) && segment !== '')) return false
  const [first = ''] = segments
  return first !== '' && !isReserved(first) && first !== 'assets' && !/[\\\0]/.test(segments.join(''))
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

function negotiated({ representations }: StaticFile, header: string | string[] | undefined): Representation {
  const accepted = acceptedEncodings(header)
  const found = representations.find(({ encoding }) => encoding === undefined || accepted.has(encoding))
  return found ?? representations.at(-1)!
}

/**
 * Returns 200, 304 by If-None-Match, or 206 and 416 by Range (RFC 9110). Several ranges are answered with the whole
 * file.
 */
function conditional(file: StaticFile, { encoding, body, etag }: Representation, headers: PageRequest['headers']) {
  const common: Record<string, string> = {
    ...pageHeaders,
    'cache-control': file.cacheControl,
    etag,
    ...(file.representations.length > 1 && { vary: 'accept-encoding' }),
  }
  if (isKnown(etag, headers['if-none-match'])) return { status: 304, headers: common }
  const full = {
    ...common,
    'content-type': file.type,
    'accept-ranges': 'bytes',
    ...(encoding && { 'content-encoding': encoding }),
  }
  const range = isCurrent(etag, headers['if-range']) ? rangeIn(headers['range'], body.length) : undefined
  if (range === 'unsatisfiable')
    return { status: 416, headers: { ...common, 'content-range': `bytes */${body.length}` }, body: Buffer.alloc(0) }
  if (!range) return { status: 200, headers: full, body }
  const [first, last] = range
  const content = { 'content-range': `bytes ${first}-${last}/${body.length}` }
  return { status: 206, headers: { ...full, ...content }, body: body.subarray(first, last + 1) }
}

const isKnown = (etag: string, header: string | string[] | undefined): boolean =>
  header !== undefined &&
  String(header)
    .split(',')
    .some(each => each.trim() === '*' || each.trim().replace(/^W\//, '') === etag)

const isCurrent = (etag: string, ifRange: string | string[] | undefined): boolean =>
  ifRange === undefined || ifRange === etag

function rangeIn(
  header: string | string[] | undefined,
  length: number,
): [number, number] | 'unsatisfiable' | undefined {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(String(header ?? '')) ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined
  const first = from === '' ? Math.max(0, length - Number(to)) : Number(from)
  const last = from === '' || to === '' ? length - 1 : Math.min(Number(to), length - 1)
  return first > last ? 'unsatisfiable' : [first, last]
}
