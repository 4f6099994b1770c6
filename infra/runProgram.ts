/** Runs a program to its end, with the exit code that it returns or has set. If it fails, prints why; the exit code is 1 then. */
export function runProgram(main: () => Promise<unknown>): void {
  main().then(
    (code) => process.exit(typeof code === 'number' ? code : process.exitCode),
    (error: unknown) => {
      console.error(error instanceof Error ? error.message : error)
      process.exit(1)
    },
  )
}
