/**
 * npm keeps an option that is written before its `--` for itself, as `npm_config_<name>`: the program would then do something else than asked.
 * @param command how the program is called: `npm run reconcile`
 * @param names the options that the program has and npm has not
 * @throws Error with a text for the person
 */
export function refuseNpmOptions(
  command: string,
  names: readonly string[],
  env: Readonly<Record<string, string | undefined>> = process.env,
): void {
  const taken = names.flatMap((name) => {
    const value = env[`npm_config_${name.replaceAll('-', '_')}`]
    if (value === undefined || value === '' || value === 'false') return []
    return [value === 'true' ? `--${name}` : `--${name} ${value}`]
  })
  if (taken.length === 0) return
  const options = taken.join(' ')
  throw new Error(`npm kept ${options} for itself: write it after --, as in ${command} -- ${options}`)
}
