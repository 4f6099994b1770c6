/** Headings of the tables in which `cdk diff` says what a stack may do, or who may reach it. */
const permissions = /^(IAM (Statement|Policy) Changes|Security Group Changes|EC2 Security Group Changes)$/
/** What follows these tables. */
const others = /^(Parameters|Mappings|Conditions|Metadata|Resources|Outputs|Other Changes|Number of stacks|Stack \S|✨)/

/**
 * A plan that fits into `limit` bytes. First the permissions of every stack, whole; then the plan from its beginning, as far as there is room.
 * @throws Error if the permissions alone do not fit
 */
export function planSummary(plan: string, limit: number): string {
  const said = permissionChanges(plan)
  const head = said === '' ? 'No permission changes.\n' : `Permissions that change, of every stack:\n\n${said}`
  const rest = `\nThe whole plan:\n\n${plan}`
  const room = limit - Buffer.byteLength(head)
  if (room < 0)
    throw new Error(
      `The changes of permissions take ${Buffer.byteLength(head)} bytes, more than a summary holds: deploy in parts`,
    )
  if (Buffer.byteLength(rest) <= room) return head + rest
  const cut = '\n… The rest is in the log of this step.\n'
  const kept = Buffer.from(rest).subarray(0, Math.max(0, room - Buffer.byteLength(cut)))
  // A character may be cut in two.
  return head + kept.toString('utf8').replace(/�$/, '') + cut
}

function permissionChanges(plan: string): string {
  const kept: string[] = []
  let stack = ''
  let isPermission = false
  for (const line of plan.split('\n')) {
    if (line.startsWith('Stack ')) stack = line
    if (permissions.test(line)) {
      if (stack !== '') kept.push(stack)
      stack = ''
      isPermission = true
    } else if (others.test(line)) isPermission = false
    if (isPermission) kept.push(line)
  }
  return kept.length === 0 ? '' : `${kept.join('\n').trimEnd()}\n`
}
