/**
 * Whether a command only prints what it would do: on AWS unless `--apply` is given, on the local stack where `--dry-run` is.
 * @throws Error where both are given
 */
export function isDryRun(options: { aws: boolean; 'dry-run': boolean; apply: boolean }): boolean {
  if (options['dry-run'] && options.apply) throw new Error('--dry-run or --apply, not both')
  return options['dry-run'] || (options.aws && !options.apply)
}
