/**
 * Source of users outside of this service (LDAP). Signing in queries it for every name that is not a local user's; the
 * folder `directory`, to the right of this one, implements it.
 */
export interface DirectorySource {
  /**
   * Verifies this user's password with the directory. If it is correct, `users` contains the user with their current
   * entry of the directory afterwards.
   *
   * @returns the seconds for which that may be cached; undefined if the name or the password is wrong, or without a
   *   directory
   * @throws Failure `unavailable` while the directory is unavailable
   */
  verify(username: string, password: string): Promise<number | undefined>
}
