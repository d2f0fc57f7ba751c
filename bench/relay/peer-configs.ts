// How the reverse proxies are set up. Connections are never closed for their age, on either side:
// only calls are to be measured.

import { join } from 'node:path'

interface NginxOptions {
  readonly dir: string
  readonly port: number
  readonly upstreamPort: number
}

export function createNginxConfig({ dir, port, upstreamPort }: NginxOptions): string {
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(dir, name)};`,
  )
  return `${user}
worker_processes 1;
daemon off;
pid ${join(dir, 'nginx.pid')};
error_log stderr error;
events { worker_connections 4096; }
http {
  access_log off;
  ${folders.join('\n  ')}
  client_max_body_size 0;
  keepalive_requests 1000000000;
  upstream simulated {
    server 127.0.0.1:${upstreamPort};
    keepalive 64;
    keepalive_requests 1000000000;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://simulated;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffering off;
      proxy_request_buffering off;
    }
  }
}
`
}

// http-no-delay: events of a stream would otherwise wait for more to be sent with them.
export function createHaproxyConfig(port: number, upstreamPort: number): string {
  return `global
  nbthread 1
  maxconn 4096
defaults
  mode http
  option http-no-delay
  timeout connect 10s
  timeout client 60s
  timeout server 60s
frontend calls
  bind 127.0.0.1:${port}
  default_backend simulated
backend simulated
  http-reuse always
  server upstream 127.0.0.1:${upstreamPort}
`
}
