import { expect, test } from 'vitest'
import { AddressRules } from '../../src/connect/address-rules.ts'
import { type Zone, zoneOf } from '../../src/connect/zones.ts'
import { nonEmpty } from '../support/non-empty.ts'

const examples: Readonly<Record<Zone, readonly string[]>> = {
  public: [
    '8.8.8.8',
    '93.184.216.34',
    '172.15.0.1',
    '100.63.0.1',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ],
  private: [
    ...['10.0.0.8', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', '198.18.0.1', '203.0.113.7'],
    ...[
      'fd00::1',
      'fc12::1',
      '::ffff:10.0.0.8',
      '::ffff:a00:8',
      '64:ff9b::a00:8',
      '64:ff9b::192.168.1.1',
      '2002:a00:8::1',
    ],
    ...['64:ff9b:1::1', '2001::1', '::10.0.0.8', '::ffff:0:10.0.0.8'],
  ],
  loopback: [
    '127.0.0.1',
    '127.8.9.10',
    '0.0.0.0',
    '0.1.2.3',
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '::7f00:1',
  ],
  'link-local': [
    ...['169.254.169.254', '169.254.0.1', '::ffff:169.254.169.254', '64:ff9b::a9fe:a9fe', '2002:a9fe:a9fe::'],
    ...['fe80::1', 'fe80::1%eth0', 'fd00:ec2::254', '100.100.100.200', '168.63.129.16', '192.0.0.192'],
  ],
  unusable: ['224.0.0.1', '255.255.255.255', '240.0.0.1', 'ff02::1'],
}

test.each(
  nonEmpty(
    Object.entries(examples).flatMap(([zone, addresses]) => addresses.map((address) => [address, zone] as const)),
  ),
)('%s is %s', (address, zone) => {
  expect(zoneOf(address)).toBe(zone)
})

const addressesOf = (...addresses: string[]) => addresses.map((address) => ({ address, family: 4 }))

/** Returns the rules after a connection to the service at an address. */
function rulesAt(address: string): AddressRules {
  const rules = new AddressRules('https://approvals.example')
  rules.allowed('approvals.example', addressesOf(address))
  return rules
}

const storageIn = { public: '8.8.4.4', private: '10.0.0.9', loopback: '127.0.0.2', 'link-local': '169.254.169.254' }

test.each([
  ['8.8.8.8', ['public']],
  ['10.0.0.8', ['public', 'private']],
  ['127.0.0.1', ['public', 'private', 'loopback']],
  ['169.254.1.1', ['public', 'link-local']],
])('a service at %s may have its storage at %j', (service, expected) => {
  const may = Object.entries(storageIn).filter(([, address]) => {
    try {
      return rulesAt(service).allowed('storage.example', addressesOf(address)).length > 0
    } catch (error) {
      expect(String(error)).toContain(`storage.example resolves to ${address}, a`)
      return false
    }
  })
  expect(may.map(([zone]) => zone)).toEqual(expected)
})

test('before the service was reached, only public addresses are allowed', () => {
  const rules = new AddressRules('http://localhost:4010')
  expect(() => rules.allowed('127.0.0.1', addressesOf('127.0.0.1'))).toThrow('a loopback address')
  expect(rules.allowed('storage.example', addressesOf('8.8.8.8')).length).toBe(1)
})

test.each([
  ['8.8.8.8', '127.0.0.1'],
  ['127.0.0.1', '8.8.8.8'],
])('a service that was at %s cannot move to %s', (before, after) => {
  const rules = rulesAt(before)
  expect(() => rules.allowed('approvals.example.', addressesOf(after))).toThrow(/but it was a \w+ one before/)
})

test('of several addresses, only those of the most public zone count', () => {
  const rules = new AddressRules('https://approvals.example')
  const both = addressesOf('127.0.0.1', '8.8.8.8')
  expect(rules.allowed('approvals.example', both)).toEqual(addressesOf('8.8.8.8'))
  expect(rules.allowed('storage.example', both)).toEqual(addressesOf('8.8.8.8'))
})
