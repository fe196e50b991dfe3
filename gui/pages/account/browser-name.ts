/** Browsers in the order in which they are looked for: all but Firefox also claim to be those behind them. */
const browsers: readonly (readonly [pattern: RegExp, name: string | undefined])[] = [
  // Built on Chrome, and not called so by their users.
  [/\b(?:OPR|Opera|SamsungBrowser|Vivaldi|YaBrowser)\//, undefined],
  [/\b(?:Edg|EdgA|EdgiOS|Edge)\//, 'Edge'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|HeadlessChrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bVersion\/\S+ .*\bSafari\//, 'Safari'],
]

/** Systems in the order in which they are looked for: iPhones claim to be like a Mac, and Android is a Linux. */
const systems: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

const nameIn = <Name>(text: string, table: readonly (readonly [RegExp, Name])[]): Name | undefined =>
  table.find(([pattern]) => pattern.test(text))?.[1]

/**
 * Browser and system that a User-Agent names: `Firefox on Linux`. A text that names no known browser and system is
 * returned as it is (pure).
 */
export function browserName(userAgent: string): string {
  const browser = nameIn(userAgent, browsers)
  const system = nameIn(userAgent, systems)
  return browser !== undefined && system !== undefined ? `${browser} on ${system}` : userAgent
}
