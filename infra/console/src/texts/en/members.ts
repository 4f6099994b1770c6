/** The members of an organization and who is invited. */
export const members = {
  title: 'Members',
  lead: (organization: string) => `Who belongs to ${organization}, and what they may do.`,
  you: 'You',
  deletedUser: 'Deleted user',
  roleOf: (name: string) => `Role of ${name}`,
  roleChanged: (name: string, role: string) =>
    `${name} is now ${/^[aeiou]/i.test(role) ? 'an' : 'a'} ${role.toLowerCase()}`,
  remove: {
    named: (name: string) => `Remove ${name}`,
    question: (name: string) => `Remove ${name}?`,
    confirm: 'Remove member',
    effects: (name: string, organization: string) =>
      `${name} no longer has access to ${organization}, right away. You can invite them again.`,
    done: (name: string) => `${name} is removed`,
  },
  invite: {
    title: 'Invite someone',
    email: 'Email address',
    example: 'name@company.com',
    role: 'Role',
    button: 'Send invitation',
    done: (email: string) => `${email} is invited`,
  },
  invitations: {
    title: 'Invited',
    expires: (role: string, day: string) => `${role} · Expires on ${day}`,
    expired: (role: string, day: string) => `${role} · Expired on ${day}`,
    withdraw: 'Withdraw',
    withdrawNamed: (email: string) => `Withdraw the invitation of ${email}`,
    withdrawn: (email: string) => `The invitation of ${email} is withdrawn`,
  },
}
