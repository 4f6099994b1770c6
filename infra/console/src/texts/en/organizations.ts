import type { Role } from '../../app/types.ts'

/** Organizations: choosing, creating, naming, handing over and deleting. */
export const organizations = {
  roles: { owner: 'Owner', billing_admin: 'Billing admin', member: 'Member' } satisfies Record<Role, string>,
  roleHints: {
    owner: 'Manages members, billing and the organization.',
    billing_admin: 'Buys and cancels products, manages cards and invoices.',
    member: 'Sees which products the organization has.',
  } satisfies Record<Role, string>,
  switch: 'Switch organization',
  choose: {
    title: 'Your organizations',
    lead: (username: string) => `Welcome, ${username}. Choose an organization.`,
    new: 'New organization',
    requiresFactor: (day: string) => `Second factor required from ${day}`,
  },
  /** Of a user who belongs to none. */
  first: {
    title: 'Name your organization',
    lead: 'Products belong to an organization. Create one for your team, or ask its owner to invite you.',
  },
  received: {
    title: 'Invitations',
    by: (inviter: string, role: string) => `${inviter} invites you. Your role: ${role}`,
    byDomain: 'It has the domain of your email address. Your role: a member',
    until: (day: string) => `Until ${day}`,
    accept: {
      button: 'Accept',
      named: (organization: string) => `Accept the invitation of ${organization}`,
      done: (organization: string) => `You are now a member of ${organization}`,
    },
    decline: {
      button: 'Decline',
      named: (organization: string) => `Decline the invitation of ${organization}`,
      done: (organization: string) => `You declined the invitation of ${organization}`,
    },
    one: (organization: string) => `${organization} invites you.`,
    several: (count: number) => `${count} organizations invite you.`,
    look: 'Show',
  },
  new: {
    title: 'New organization',
    lead: 'Members, products and invoices belong to it. You will be its owner.',
    name: 'Name',
    hint: 'Your company or team. It is printed on invoices; you can change it later.',
    button: 'Create organization',
    back: 'Back',
    ready: (name: string) => `${name} is ready`,
  },
  settings: {
    title: 'Settings',
    lead: (organization: string) => `What ${organization} is called, and who owns it.`,
  },
  rename: {
    title: 'Name',
    label: 'Name of the organization',
    button: 'Save name',
    done: 'The organization is renamed',
  },
  transfer: {
    title: 'Hand over',
    lead: 'Another member becomes the owner. You stay as a billing admin.',
    noOthers: 'Invite someone first: there is no other member yet.',
    newOwner: 'New owner',
    choose: 'Choose a member',
    thisMember: 'this member',
    button: 'Hand over',
    question: (organization: string) => `Hand ${organization} over?`,
    keep: 'Keep ownership',
    effects: (name: string) =>
      `${name} becomes the owner. You become a billing admin, and only ${name} can change that.`,
    done: (name: string, organization: string) => `${name} now owns ${organization}`,
  },
  leave: {
    title: 'Leave the organization',
    lead: 'You lose access right away. An owner can invite you again.',
    button: 'Leave organization',
    question: (organization: string) => `Leave ${organization}?`,
    keep: 'Stay',
    effects: 'You lose access right away. Its subscriptions continue.',
    done: (organization: string) => `You have left ${organization}`,
  },
  deletion: {
    title: 'Delete the organization',
    lead: 'It is erased 30 days later, with its members, invitations and billing details. Until then any owner can restore it. Cancel its subscriptions first.',
    scheduled: (day: string) => `It will be deleted on ${day}. Until then nothing can be bought, and no one can join.`,
    button: 'Delete organization',
    restore: 'Restore organization',
    question: (organization: string) => `Delete ${organization}?`,
    effects: 'All members lose access in 30 days, and everything is erased then. Any owner can restore it before.',
    done: (organization: string, day: string) => `${organization} will be deleted on ${day}`,
    restored: (organization: string) => `${organization} is restored`,
  },
}
