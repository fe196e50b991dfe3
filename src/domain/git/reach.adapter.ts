import { AddressRefused } from '#platform/outgoing-addresses.ts'
import { type AnswersFor, type Credentials, withAnswers } from './credentials.adapter.ts'
import { GitFailure } from './git-failure.ts'
import { withHostKey } from './host-key.adapter.ts'
import { type HttpWays, isRedirected, isSameService, redirectionOf, wayTo } from './http-way.adapter.ts'
import { type GitProtocol, type RemoteUrl, readRemoteUrl } from './remote-url.ts'
import { namingSignIn } from './sign-in-failure.ts'

/** Address and configuration with which git accesses a remote. */
export interface ReachedRemote {
  readonly url: string
  readonly where: RemoteUrl
  readonly answers: AnswersFor
}

interface SignIn {
  readonly user: string | null
  readonly credentials: Credentials
}

/** Runs `work` with a remote; over http perhaps twice, when its server redirects to another URL. */
export type Reach = <T>(
  remote: SignIn & { readonly url: string },
  work: (reached: ReachedRemote) => Promise<T>,
) => Promise<T>

/** Access to remotes: the configuration for git, the allowed commands, and the allowed addresses. */
export function reaching(
  options: HttpWays & {
    readonly protocols: readonly GitProtocol[]
    readonly answersFolder: string
    readonly settings?: () => Promise<{ readonly knownHosts: readonly string[] }>
  },
): Reach {
  const { protocols, answersFolder, settings } = options
  const ways: HttpWays = options

  const reach: Reach = async (remote, work) => {
    const where = readRemoteUrl(remote.url, protocols)
    if ('wrong' in where) throw new GitFailure(where.wrong, '', null)
    const { protocol } = where
    const { user, credentials } = { ...remote, user: remote.user ?? where.user }
    if (protocol.startsWith('http')) return overHttp(where, { user, credentials }, work)
    const isSsh = protocol === 'ssh'
    const knownHosts = isSsh ? ((await settings?.())?.knownHosts ?? []) : []
    try {
      return await withAnswers({ folder: answersFolder, protocol, user, credentials, knownHosts }, answers =>
        work({ url: remote.url, where, answers }),
      )
    } catch (error) {
      if (!isSsh || !(error instanceof GitFailure)) throw error
      throw namingSignIn(await withHostKey(error, where, options.environment), where, { credentials })
    }
  }

  const overHttp = async <T>(
    where: RemoteUrl,
    signIn: SignIn,
    work: (from: ReachedRemote) => Promise<T>,
  ): Promise<T> => {
    const attempt = async (at: RemoteUrl, credentials: Credentials): Promise<T> => {
      const { url, configuration, ...asker } = await wayTo(at, ways)
      return withAnswers(
        { folder: answersFolder, protocol: at.protocol, user: signIn.user, credentials, knownHosts: [], asker },
        answers =>
          work({
            url,
            where: at,
            answers: { ...answers, configuration: { ...answers.configuration, ...configuration } },
          }),
      )
    }
    try {
      return await attempt(where, signIn.credentials)
    } catch (error) {
      if (error instanceof AddressRefused) throw new GitFailure(error.message, '', null)
      if (!(error instanceof GitFailure)) throw error
      if (!isRedirected(error)) throw namingSignIn(error, where, signIn)
      // The password is not for another host, or another service on this one.
      const credentialsFor = (target: RemoteUrl) => (isSameService(where, target) ? signIn.credentials : {})
      return toRedirection(error, { where, signIn }, async target => {
        const credentials = credentialsFor(target)
        try {
          return await attempt(target, credentials)
        } catch (failed) {
          throw failed instanceof GitFailure ? namingSignIn(failed, target, { credentials }) : failed
        }
      })
    }
  }

  /** Follows the server's redirection, once its target was checked like the remote itself. */
  const toRedirection = async <T>(
    failed: GitFailure,
    { where: from, signIn }: { where: RemoteUrl; signIn: SignIn },
    attempt: (target: RemoteUrl) => Promise<T>,
  ): Promise<T> => {
    try {
      const target = await redirectionOf(from, { ...ways, signIn, protocols })
      if (!target) throw failed
      return await attempt(target)
    } catch (error) {
      if (!(error instanceof AddressRefused)) throw error
      throw new GitFailure(`${from.host} sends elsewhere: ${error.message}`, failed.output, failed.exitCode)
    }
  }

  return reach
}
