import type { Resource, TemplateVersion } from '../../api/records.ts'

/** Versions that were created after the one in use, in their order. */
export function newerVersions(
  versions: readonly Resource<TemplateVersion>[],
  current: string | null | undefined,
): readonly Resource<TemplateVersion>[] {
  const inUse = versions.find(({ attributes }) => attributes.version === current)
  // The one in use may be archived, and is then not among those that can be chosen.
  if (!inUse) return []
  return versions.filter(({ attributes }) => attributes.created_at > inUse.attributes.created_at)
}

/** Where a version comes from: `main · b4a9831f`. */
export const versionSource = ({ version, git_rev: rev, commit_sha: commit }: TemplateVersion): string =>
  [rev !== version && rev, commit?.slice(0, 8)].filter(Boolean).join(' · ')
