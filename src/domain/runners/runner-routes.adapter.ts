import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fromJson } from '#json/from-json.ts'
import { type Labels, wrongLabels } from '#json/labels.ts'
import type { Database } from '#platform/db/database.ts'
import { failpoint } from '#platform/failpoints.ts'
import { failure } from '#platform/failure.ts'
import { labelsHeader, limits } from '#protocol/runner-protocol.ts'
import { storeArtefact } from '../logs/index.ts'
import { isKnownArchive, recordArchive } from './cached-archives.store.ts'
import type { LiveRunner } from './runner.ts'
import type { RunnerWork } from './runner-work.port.ts'
import { authenticateRunner } from './secret.tx.ts'

/**
 * HTTP requests of runners: the tree of their commit, a file to store, digests of archives that they cache for one
 * another.
 */
export async function runnerRoutes(
  server: FastifyInstance,
  options: { database: Database; work: RunnerWork },
): Promise<void> {
  const { database, work } = options
  await server.register((scope, _options, registered) => {
    // Bodies are files: streamed, never buffered.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, body, done) => done(null, body))

    scope.get<{ Params: { commit: string } }>('/runner/archive/:commit', async (request, reply) => {
      const runner = await runnerOf(database, request)
      const commit = await work.commit(database, runner)
      if (request.params.commit !== commit) throw failure('missing', `This runner works on the commit ${commit}.`)
      return sendTar(reply, await work.archive(runner, commit))
    })

    scope.get<{ Params: ArchiveParams }>('/runner/dependencies/:name/:sha256', async (request, reply) => {
      await runnerOf(database, request)
      if (!(await isKnownArchive(database, digestOf(request.params))))
        throw failure('missing', 'No runner has reported this archive of dependencies.')
      return reply.status(204).send()
    })

    scope.put<{ Params: ArchiveParams }>('/runner/dependencies/:name/:sha256', async (request, reply) => {
      await runnerOf(database, request)
      await recordArchive(database, digestOf(request.params))
      return reply.status(204).send()
    })

    // Not `:name`: a named parameter of a route is limited in length.
    scope.put<{ Params: { stepId: string; attempt: string; '*': string }; Querystring: { fence?: string } }>(
      '/runner/artefacts/:stepId/:attempt/*',
      { bodyLimit: limits.artefactBytes },
      async (request, reply) => {
        const runner = await runnerOf(database, request)
        const { stepId, attempt: number, '*': name } = request.params
        const fence = Number(new URL(request.url, 'http://runner').searchParams.get('fence'))
        const attempt = { stepId, attempt: Number(number), fence }
        const held = (await work.running(database, runner.id)).some(
          each => each.stepId === stepId && each.attempt === attempt.attempt && each.fence === fence,
        )
        const step = held ? await work.stepOf(database, attempt) : undefined
        if (!step) throw failure('stale-attempt', 'This runner does not run that attempt of that step.')
        if (Buffer.byteLength(name) > limits.artefactNameBytes)
          throw failure('invalid', `The path of an artefact has at most ${limits.artefactNameBytes} bytes.`)
        const sha256 = String(request.headers['sluice-sha256'])
        if (!/^[0-9a-f]{64}$/.test(sha256))
          throw failure('wrong-header', 'sluice-sha256 should be 64 hexadecimal digits.')
        const contentType = 'application/octet-stream'
        const labels = labelsOf(request.headers[labelsHeader])
        const artefact = { ...attempt, ...step, name, contentType, sha256, labels }
        await storeArtefact(database, artefact, request.body as Readable)
        failpoint('artefact-stored')
        return reply.status(204).send()
      },
    )
    registered()
  })
}

interface ArchiveParams {
  name: string
  sha256: string
}

function digestOf({ name, sha256 }: ArchiveParams): ArchiveParams {
  for (const each of [name, sha256])
    if (!/^[0-9a-f]{64}$/.test(each))
      throw failure('invalid', 'Name and digest of an archive of dependencies should be 64 hexadecimal digits each.')
  return { name, sha256 }
}

function labelsOf(header: string | string[] | undefined): Labels {
  if (header === undefined) return {}
  const labels = readJson(Buffer.from(String(header), 'base64url').toString())
  const wrong = wrongLabels(labels)
  if (wrong) throw failure('wrong-header', `${labelsHeader} should be base64url of labels as JSON: ${wrong}.`)
  return labels as Labels
}

function readJson(text: string): unknown {
  try {
    return fromJson(text)
  } catch (error) {
    throw failure('wrong-header', `${labelsHeader} should be base64url of JSON: ${(error as Error).message}.`)
  }
}

async function runnerOf(database: Database, request: FastifyRequest): Promise<LiveRunner> {
  const runner = await authenticateRunner(database, request.headers.authorization)
  if (runner === 401) throw failure('unauthenticated', 'This is for runners, with their secret.')
  if (runner === 410) throw failure('missing', 'This runner has been given up.')
  if (runner.of === 'nothing') throw failure('missing', 'This runner has no work yet.')
  return { id: runner.id, activityId: runner.activityId, of: runner.of, stepId: runner.stepId, session: 0 }
}

const sendTar = (reply: FastifyReply, tar: Readable) => reply.type('application/x-tar').send(tar)
