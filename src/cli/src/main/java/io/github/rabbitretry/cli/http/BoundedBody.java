/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

import org.jspecify.annotations.Nullable;

/**
 * A body of bounded size: nothing that answers fills the memory.
 */
final class BoundedBody implements HttpResponse.BodySubscriber<byte[]> {

	private final CompletableFuture<byte[]> result = new CompletableFuture<>();

	private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

	private final int most;

	private Flow.@Nullable Subscription subscription;

	BoundedBody(int most) {
		this.most = most;
	}

	@Override
	public CompletionStage<byte[]> getBody() {
		return this.result;
	}

	@Override
	public void onSubscribe(Flow.Subscription begun) {
		this.subscription = begun;
		begun.request(Long.MAX_VALUE);
	}

	@Override
	public void onNext(List<ByteBuffer> buffers) {
		for (ByteBuffer buffer : buffers) {
			if (this.result.isDone()) {
				return;
			}
			if (this.bytes.size() + buffer.remaining() > this.most) {
				if (this.subscription != null) {
					this.subscription.cancel();
				}
				this.result.completeExceptionally(new TooLargeException());
				return;
			}
			byte[] chunk = new byte[buffer.remaining()];
			buffer.get(chunk);
			this.bytes.writeBytes(chunk);
		}
	}

	@Override
	public void onError(Throwable failure) {
		this.result.completeExceptionally(failure);
	}

	@Override
	public void onComplete() {
		this.result.complete(this.bytes.toByteArray());
	}

	/**
	 * There is more than was bargained for.
	 */
	static final class TooLargeException extends IOException {

		private static final long serialVersionUID = 1L;

	}

}
