/** People with their groups in the directory, their policies, and whether they are blocked or deleted. */

export const people = ['ann', 'ben', 'cat', 'dan', 'eve', 'admin'] as const
export type Name = (typeof people)[number]

export const groups = ['ops', 'leads'] as const
export type Group = (typeof groups)[number]

/** Policies assigned to people: the first three belong to this test, the others to the system. */
const policies = ['reads', 'runs', 'averted', 'blocked', 'superuser'] as const
export type Policy = (typeof policies)[number]

export type Asset = 'front' | 'back'

const usual: Readonly<Record<Name, readonly Policy[]>> = {
  ann: ['runs'],
  ben: ['runs'],
  cat: ['reads'],
  dan: ['reads'],
  eve: [],
  admin: ['superuser'],
}

export class Person {
  readonly name: Name
  readonly groups = new Set<Group>()
  readonly policies: Set<Policy>
  isDisabled = false
  isDeleted = false

  constructor(name: Name) {
    this.name = name
    this.policies = new Set(usual[name])
  }

  get signsIn(): boolean {
    return !this.isDisabled && !this.isDeleted
  }

  /** Whether the person may read an asset; all members of `ops` may. */
  mayRead(asset?: Asset): boolean {
    return this.may(asset, this.has('reads') || this.has('runs') || this.groups.has('ops'))
  }

  mayRun(asset?: Asset): boolean {
    return this.may(asset, this.has('runs'))
  }

  /** A longer path decides: a person with `averted` may not read `front`, and so nothing in it. */
  private may(asset: Asset | undefined, isAllowed: boolean): boolean {
    if (this.has('blocked')) return false
    return this.has('superuser') || (isAllowed && !(asset === 'front' && this.has('averted')))
  }

  private has = (policy: Policy): boolean => this.policies.has(policy)
}

export const usualPolicies = (name: Name): readonly Policy[] => usual[name]
