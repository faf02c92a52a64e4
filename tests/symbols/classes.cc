// SPDX-License-Identifier: GPL-2.0-or-later
/* Names that are not where the code is described: declared in a class, in a template, in a namespace. */
volatile int sink;

namespace shapes
{
template <typename T> struct box {
	T value;
	__attribute__((noinline)) T grow(T by)
	{
		sink += 1;
		return value + by;
	}
};

struct circle {
	__attribute__((noinline)) explicit circle(int r);
	__attribute__((noinline)) int area(int scale) const;
	int radius;
};

circle::circle(int r) : radius(r)
{
	sink += r;
}

int circle::area(int scale) const
{
	return sink + radius * radius * scale;
}
} // namespace shapes

namespace
{
__attribute__((noinline)) int anonymous(int x)
{
	return sink + x;
}
} // namespace

int main(int argc, char **)
{
	shapes::box<long> b = {argc};
	shapes::circle c(argc);

	return static_cast<int>(b.grow(2)) + c.area(argc) + anonymous(argc);
}
