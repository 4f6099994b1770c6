/** Calls `stop` when the parent process has ended: npm forwards a signal to its shell only, and the shell ends without forwarding it. */
export function whenOrphaned(stop: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    stop()
  }, 250)
}
