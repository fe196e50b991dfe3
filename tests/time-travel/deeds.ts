import { moveClock } from '../support/database.ts'
import { isCompared } from './compare-impact.ts'
import type { Deed } from './history.ts'
import { archive, destroy, make, move, rename } from './placing.ts'
import { addVersion, commit, dropVersion, newVersion, point } from './pointing.ts'
import { again, states } from './stating.ts'
import { picked, type World } from './world.ts'

/** Returns a description of the deed, or undefined if there is no target. */
export async function does(world: World, deed: Deed): Promise<string | undefined> {
  const { state, shas } = world
  switch (deed.what) {
    case 'properties':
    case 'merges':
    case 'settings':
      return states(world, deed)
    case 'restores':
    case 'repeats':
      return again(world, deed)
    case 'renames':
      return rename(world, deed)
    case 'makes':
      return make(world, picked(['e', 'a', 'b', 'g'], deed.node))
    case 'archives':
      return archive(world, picked(world.leaves(), deed.node))
    case 'destroys':
      return destroy(world, picked(world.leaves(), deed.node))
    case 'moves':
      return move(world, deed)
    case 'commits':
      commit(world, deed.files)
      return point(world, 'web 1', { meta: { fetch_revision: true } }, shas.at(-1)!)
    case 'points': {
      const version = picked(Object.keys(state.commits).filter(isPinned), deed.version)
      const git_rev = picked(shas, deed.commit)
      return point(world, version, { attributes: { git_rev }, meta: { ignore_in_use: true } }, git_rev)
    }
    case 'adds version':
      return addVersion(world, newVersion(world), { git_rev: picked(shas, deed.commit) })
    case 'drops version':
      return dropVersion(world, picked(world.versionsOf('web').filter(isPinned), deed.version))
    case 'waits':
      await moveClock(world.service.testDatabase, deed.interval)
      return `${deed.interval} pass`
    case 'compares':
      return isCompared(world, deed)
  }
}

/** The first follows its branch. */
const isPinned = (version: string): boolean => version !== 'web 1'
