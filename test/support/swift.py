"""Starts OpenStack Swift with its S3 interface on free ports of this machine, and prints the port for clients.

The first argument is an empty folder for all its files, on a file system with extended attributes. Everything ends with the
standard input.
"""
import os
import signal
import socket
import sys

from swift.common import utils

folder = sys.argv[1]
# Swift knows this one file by its path alone.
utils.SWIFT_CONF_FILE = folder + '/swift.conf'

from swift.common.ring import RingBuilder
from swift.common.wsgi import run_wsgi

SWIFT = '''[swift-hash]
swift_hash_path_suffix = test
[storage-policy:0]
name = one
default = yes
'''

COMMON = '''[DEFAULT]
bind_ip = 127.0.0.1
bind_port = {port}
swift_dir = {folder}
log_address = {folder}/no-log
log_level = ERROR
workers = 0
'''

STORE = COMMON + '''devices = {folder}/devices
mount_check = false
fallocate_reserve = 0
[pipeline:main]
pipeline = {name}-server
[app:{name}-server]
use = egg:swift#{name}
'''

PROXY = COMMON + '''[pipeline:main]
pipeline = catch_errors gatekeeper cache s3api tempauth copy proxy-server
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:cache]
paste.filter_factory = __main__:cache
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
cors_preflight_allow_origin = *
allow_multipart_uploads = no
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:copy]
use = egg:swift#copy
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
# A server that has not started yet is asked again at once.
error_suppression_limit = 1000000
# On a busy machine, half a second is too short for a connection.
conn_timeout = 30
node_timeout = 60
recoverable_node_timeout = 60
'''


class NoCache:
    """Takes the place of memcached, which the filter for users insists on."""

    def get(self, *_, **__):
        return None

    def set(self, *_, **__):
        pass

    delete = set


def cache(global_conf, **conf):
    def add(app):
        def call(env, start_response):
            env['swift.cache'] = NoCache()
            return app(env, start_response)
        return call
    return add


def write(name, text):
    with open(os.path.join(folder, name), 'w') as file:
        file.write(text)


def free_ports(count):
    sockets = [socket.create_server(('127.0.0.1', 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


names = ['account', 'container', 'object', 'proxy']
ports = dict(zip(names, free_ports(len(names))))
os.makedirs(folder + '/devices/one')
write('swift.conf', SWIFT)
for name, port in ports.items():
    text = PROXY if name == 'proxy' else STORE
    write(name + '.conf', text.format(name=name, port=port, folder=folder))
    if name == 'proxy':
        continue
    # One copy of everything, on the only device.
    builder = RingBuilder(1, 1, 0)
    builder.add_dev({
        'id': 0, 'region': 1, 'zone': 1, 'weight': 1, 'device': 'one', 'meta': '',
        'ip': '127.0.0.1', 'port': port, 'replication_ip': '127.0.0.1', 'replication_port': port,
    })
    builder.rebalance()
    builder.get_ring().save('{}/{}.ring.gz'.format(folder, name))

children = []
for name in names:
    child = os.fork()
    if child == 0:
        os.close(0)
        sys.exit(run_wsgi('{}/{}.conf'.format(folder, name), name + '-server'))
    children.append(child)
print(ports['proxy'], flush=True)
sys.stdin.read()
for child in children:
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
