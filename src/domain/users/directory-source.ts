/**
 * People who are known elsewhere (LDAP). Signing in asks here for every name that is no local user's; the
 * folder `directory`, to the right of this one, knows how.
 */
export interface DirectorySource {
  /**
   * Verifies this user's password with the directory. If it is right, `users` has the user afterwards with their
   * current entry of the directory.
   *
   * @returns the seconds for which that may be remembered; undefined where the name or the password is wrong, or where
   *   there is no directory
   * @throws Failure `unavailable` while the directory cannot be asked
   */
  verify(username: string, password: string): Promise<number | undefined>
}
